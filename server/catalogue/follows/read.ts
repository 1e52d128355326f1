import type { Follow } from '#contract/catalogue/follows/follows';
import { findFarmCards } from '../../farm/farmers/service.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { findProducts } from '../products/read.ts';

/**
 * Returns what somebody follows, the latest first. What is off the market is left out until it returns; a favourite it
 * stays.
 */
export async function listFollows({ db }: Platform, user: SessionUser): Promise<Follow[]> {
  const rows = await db.follow.findMany({
    where: { userId: user.id, state: { not: 'ended' } },
    orderBy: [{ since: 'desc' }, { id: 'desc' }],
  });
  const [products, farms] = await Promise.all([
    findProducts(
      { db },
      rows.flatMap(({ productId }) => productId ?? []),
      user,
    ),
    findFarmCards(
      { db },
      rows.flatMap(({ farmId }) => farmId ?? []),
    ),
  ]);
  const productsById = new Map(products.map((product) => [product._id, product]));
  const farmsById = new Map(farms.map((farm) => [farm._id, farm]));
  return rows.flatMap(({ productId, farmId, since, state }) => {
    const product = productsById.get(productId ?? '');
    const farm = farmsById.get(farmId ?? '');
    if (!product && !farm) return [];
    return [
      {
        ...(product ? { product } : {}),
        ...(farm ? { farm } : {}),
        since: since.toISOString(),
        state,
      },
    ];
  });
}
