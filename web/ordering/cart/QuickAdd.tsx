import { useAtomValue } from 'jotai';
import { Plus } from 'lucide-react';
import { formatCounted } from '#contract/platform/quantities/constants/pieces';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { formatCount } from '#contract/platform/text/constants/locale';
import { useAuth } from '../../platform/session/session.ts';
import { cartAtom } from './atoms.ts';
import { OtherFarmQuestion } from './OtherFarmQuestion.tsx';
import type { Goods } from './rules.ts';
import { useAddToCart } from './use-add-to-cart.ts';

/**
 * The button on a product card that adds one to the cart, or as much as can be ordered at least, with the number that
 * is in it. Not shown to farmers and admins, nor for what is sold out.
 */
export function QuickAdd({ goods }: { goods: Goods }) {
  const { user } = useAuth();
  const cart = useAtomValue(cartAtom);
  const { add, ...adding } = useAddToCart();
  if (user && user.role !== 'consumer') return null;
  if (isSoldOut(goods)) return null;
  const portion = minimumOf(goods);
  const inCart = cart.lines.find((line) => line.productId === goods._id)?.quantity ?? 0;
  return (
    <>
      <button
        type="button"
        // Not 'Add to Cart', which is the name of the button on the product's own page.
        aria-label={[
          `Add ${goods.name} to cart`,
          portion !== 1 && formatCounted(portion, goods),
          inCart > 0 && `${formatCount(inCart)} in it`,
        ]
          .filter(Boolean)
          .join(', ')}
        onClick={() => add(goods, portion)}
        className="needs-scripts first-for-shoppers relative grid size-11 place-items-center rounded-full bg-leaf text-on-leaf transition-colors hover:bg-leaf-strong focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-leaf"
      >
        <Plus aria-hidden="true" className="size-5" />
        {inCart > 0 && (
          <span
            aria-hidden="true"
            className="tabular absolute -right-1 -top-1 grid h-5 min-w-5 place-items-center rounded-full border border-leaf bg-raised px-1 text-xs font-semibold text-leaf"
          >
            {formatCount(inCart)}
          </span>
        )}
      </button>
      <OtherFarmQuestion goods={goods} adding={adding} />
    </>
  );
}
