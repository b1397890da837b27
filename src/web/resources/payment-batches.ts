import { paymentBatches as calls } from '../../shared/contract/payment-batches.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const paymentBatches = createResource(calls);
