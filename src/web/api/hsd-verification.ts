import { hsdVerification as calls } from '../../shared/contract/hsd-verification.ts';
import { createResource } from './create-resource.ts';

export const hsdVerification = createResource(calls);
