import { palette as calls } from '../../shared/contract/palette.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const palette = createResource(calls);
