import { paymentBatches as calls } from '../../shared/contract/payment-batches.ts';
import { createResource } from './create-resource.ts';

export const paymentBatches = createResource(calls);
