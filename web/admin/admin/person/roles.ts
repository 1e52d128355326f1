import type { Role } from '#contract/platform/http/http';
import type { Tone } from '../../../platform/ui/primitives/Badge.tsx';

/** The colour of each role's badge. */
export const roleTone: Record<Role, Tone> = { consumer: 'leaf', farmer: 'straw', admin: 'sky' };
