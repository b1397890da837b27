import { ownerStatements as calls } from '../../shared/contract/owner-statements.ts';
import { createResource } from './create-resource.ts';

export const ownerStatements = createResource(calls);
