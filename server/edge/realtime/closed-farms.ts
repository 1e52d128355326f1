import {
  type FarmPart,
  type FarmState,
  type FarmStateRow,
  farmStateOf,
  maySeeFarm,
} from '../../farm/farmers/policy.ts';
import type { LoggedEvent } from '../../platform/events/event-log.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

interface ClosedFarm {
  state: FarmState;
  /** Anyone who has ordered there. While a farm is closed nobody joins them. */
  customers: ReadonlySet<string>;
}

/**
 * Whether an event may close a farm or open one: it registers, is approved or sent back, suspended or restored, or
 * goes.
 */
const mayChange = (event: LoggedEvent): boolean =>
  event.name === 'farm.approvalChanged' ||
  event.name === 'farmer.listingChanged' ||
  event.name === 'farmer.deleted' ||
  (event.name === 'user.created' && event.data.role === 'farmer');

/**
 * Knows the farms that are not in the market, which are few, so that live events and replay are decided by where a farm
 * stands now, as reads are, and without a query.
 */
export class ClosedFarms {
  readonly #pool: Platform['pool'];
  #farms: ReadonlyMap<string, ClosedFarm> = new Map();
  #version = 0;

  constructor(pool: Platform['pool']) {
    this.#pool = pool;
  }

  /** Grows whenever the farms were read again. */
  get version(): number {
    return this.#version;
  }

  /** Reads the farms again if the event may have closed or opened one. Call it before the event is delivered. */
  async follow(event: LoggedEvent): Promise<void> {
    if (mayChange(event)) await this.read();
  }

  async read(): Promise<void> {
    const { rows } = await this.#pool.query<FarmStateRow & { id: string; customers: string[] }>({
      name: 'read_closed_farms',
      text: `SELECT farm.user_id AS id, farm.approved_at AS "approvedAt",
               carrier.suspended_at AS "suspendedAt",
               ARRAY(SELECT DISTINCT consumer_id FROM orders WHERE farmer_id = farm.user_id) AS customers
             FROM farmer_profiles farm JOIN users carrier ON carrier.id = farm.user_id
             WHERE carrier.deleted_at IS NULL
               AND (farm.approved_at IS NULL OR carrier.suspended_at IS NOT NULL)`,
    });
    this.#farms = new Map(
      rows.map(({ id, customers, ...row }) => [
        id,
        { state: farmStateOf(row), customers: new Set(customers) },
      ]),
    );
    this.#version++;
  }

  /** Returns whether any of these farms is closed; ids of others are allowed. */
  hasAny(ids: readonly string[]): boolean {
    return ids.some((id) => this.#farms.has(id));
  }

  /** Returns whether somebody may see this part of a farm. Whatever is no closed farm, everyone may. */
  maySee(
    viewer: Pick<SessionUser, 'id' | 'role' | 'membership'> | null,
    id: string,
    part: FarmPart,
  ): boolean {
    const farm = this.#farms.get(id);
    if (!farm) return true;
    const hasOrdered = viewer !== null && farm.customers.has(viewer.id);
    return maySeeFarm(viewer, { id, state: farm.state }, part, { hasOrdered });
  }
}
