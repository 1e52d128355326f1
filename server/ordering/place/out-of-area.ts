import type { PickupInstead } from '#contract/ordering/orders/pickup';
import { AppError } from '../../platform/http/errors.ts';
import { offers } from '../model/policy.ts';
import type { FarmState } from './decide-place.ts';
import type { Run } from './statement.ts';

// $1 the farm.
const PLACES = {
  name: 'read_pickup_places',
  text: `SELECT id AS "_id", name, json_build_object('street', street, 'city', city, 'state', state,
      'zipCode', zip_code) AS address
    FROM places WHERE farm_id = $1::uuid AND is_active AND removed_at IS NULL ORDER BY name, id`,
};

/**
 * Returns the answer to a delivery to where the farm does not deliver. The way out is another address, or pickup where the
 * farm offers it, at one of its places where it has some.
 */
export async function outOfArea(
  run: Run,
  farmId: string,
  farm: FarmState | null,
): Promise<AppError> {
  const mayPickUp = offers(farm, 'pickup');
  const places = mayPickUp ? await run<PickupInstead['places'][number]>(PLACES, [farmId]) : [];
  const advice = mayPickUp ? 'Enter another one, or pick the order up.' : 'Enter another one.';
  const message = `This farm doesn't deliver to that address. ${advice}`;
  const data: PickupInstead = { places };
  return new AppError(409, 'OUT_OF_AREA', message, {
    errors: [{ path: 'deliveryDetails.address.zipCode', message }],
    data,
  });
}
