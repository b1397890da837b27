import { bankAnswers as calls } from '../../shared/contract/bank-answers.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const bankAnswers = createResource(calls);
