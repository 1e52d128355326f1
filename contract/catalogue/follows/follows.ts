import { followsApi as calls, FOLLOW_STATES } from '#contract/catalogue/follows/constants';
import { Product } from '#contract/catalogue/products/product';
import { FarmerCard } from '#contract/farm/farmers/farmers';
import { endpoints } from '#contract/platform/http/endpoint';
import { Id, Instant, idParams, named, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

const fields = { since: Instant, state: z.enum(FOLLOW_STATES) };

/** A favourite of the signed-in customer: either a product or a farm. */
export const Follow = named('Follow', {
  product: Product.optional(),
  farm: FarmerCard.optional(),
  /** Since when they wait, or follow the farm. */
  ...fields,
});
export type Follow = z.infer<typeof Follow>;

/** What became of following something. */
export const Followed = named('Followed', { _id: Id, ...fields });
export type Followed = z.infer<typeof Followed>;

const product = { access: ['consumer'], params: idParams(() => t('Product not found')) } as const;
const farm = { access: ['consumer'], params: idParams(() => t('Farmer not found')) } as const;

export const followsApi = endpoints(calls, {
  list: {
    summary: 'The farms and products that the signed-in customer follows, the latest first',
    access: ['consumer'],
    answer: one(z.array(Follow)),
  },
  followProduct: {
    summary: 'Follow a product, and be notified once when it is back in stock',
    ...product,
    answer: one(Followed),
  },
  unfollowProduct: { summary: 'No longer follow a product', ...product },
  followFarm: {
    summary: 'Follow a farm, and be notified of its new products',
    ...farm,
    answer: one(Followed),
  },
  unfollowFarm: { summary: 'No longer follow a farm', ...farm },
});
