import type { Role } from '#contract/platform/http/http';
import type { FarmRole } from '#contract/platform/session/constants';
import type { Caller } from '../market.ts';

/** Who calls an endpoint. */
export type Party = Role | 'visitor';

/** What an endpoint is called with. */
export interface Input {
  /** What stands in the path in the place of its parameters, in their order. */
  id?: string | readonly string[];
  /** What stands behind the path, without `?`. */
  query?: string;
  body?: unknown;
  form?: FormData;
  /** Who makes the call, where it must not be one of the people whom other samples are about. */
  as?: Caller;
}

/** Returns the path of a call with its parameters filled in. */
export function pathWith(path: string, { id, query }: Input): string {
  const ids = [id ?? []].flat();
  const filled = path.replace(/:\w+/g, () => ids.shift() ?? 'missing');
  return query ? `${filled}?${query}` : filled;
}

/** A valid call of an endpoint. */
export interface Sample {
  /** Creates what is called on, again for each try. `party` is who calls it. */
  input?: (party: Party) => Input | Promise<Input>;
  /** What these get although they may call it: the call itself does not suit them. */
  refused?: Partial<Record<Party, number>>;
  /** What members of the farm get where their role alone does not say it. */
  members?: Partial<Record<FarmRole, number>>;
  /** What somebody of this role gets who has nothing to do with the record. */
  stranger?: Partial<Record<Role, number>>;
}
