import { ownerStatements as calls } from '../../shared/contract/owner-statements.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const ownerStatements = createResource(calls);
