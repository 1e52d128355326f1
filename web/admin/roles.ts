import type { Role } from '#contract/http';
import type { Tone } from '../ui/primitives/Badge.tsx';

/** The colour of each role's badge. */
export const roleTone: Record<Role, Tone> = { consumer: 'leaf', farmer: 'straw', admin: 'sky' };
