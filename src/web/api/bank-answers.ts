import { bankAnswers as calls } from '../../shared/contract/bank-answers.ts';
import { createResource } from './create-resource.ts';

export const bankAnswers = createResource(calls);
