import { preparedPayments as calls } from '../../shared/contract/prepared-payments.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const preparedPayments = createResource(calls);
