import { challanSheet as calls } from '../../shared/contract/challan-sheet.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const challanSheet = createResource(calls);
