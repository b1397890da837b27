import { sharedReports as calls } from '../../shared/contract/shared-reports.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const sharedReports = createResource(calls);
