import { hsdVerification as calls } from '../../shared/contract/hsd-verification.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const hsdVerification = createResource(calls);
