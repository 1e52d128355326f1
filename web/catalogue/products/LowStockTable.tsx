// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the roles of a table drawn as grids.

import { LOW_STOCK } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { formatCounted } from '#contract/platform/quantities/constants/pieces';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { t } from '#contract/platform/text/constants/texts';
import { useHighlight } from '../../platform/queries/use-changes.ts';
import { cn } from '../../platform/ui/cn.ts';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';

/** How each level of a low stock looks. */
const styles = {
  empty: { bar: 'bg-tomato', text: 'text-tomato' },
  scarce: { bar: 'bg-orange', text: 'text-orange-ink' },
  low: { bar: 'bg-straw', text: 'text-straw-ink' },
};

/** Returns how many of a product are left as its level counts them: units, or smallest orders of its sizes. */
const countOf = (product: Product): number =>
  product.sizes ? product.quantityAvailable / minimumOf(product) : product.quantityAvailable;

/** Returns the level of a stock: `empty` (red) for 0, `scarce` (orange) below 5, else `low` (yellow). */
export function stockLevel(quantity: number): keyof typeof styles {
  if (quantity <= 0) return 'empty';
  return quantity < 5 ? 'scarce' : 'low';
}

/**
 * The products with low stock, the lowest first. The roles are explicit because browsers drop them
 * from rows that are displayed as grids.
 */
export function LowStockTable({
  products,
  mayUpdate,
}: {
  products: readonly Product[];
  /** Whether the reader's role lets them change the stock. */
  mayUpdate: boolean;
}) {
  return (
    <table role="table" className="block text-sm">
      <caption className="sr-only">{t('Low stock')}</caption>
      <thead role="rowgroup" className="sr-only">
        <tr role="row">
          {[t('Product'), t('Quantity'), ...(mayUpdate ? [t('Actions')] : [])].map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block divide-y divide-hairline">
        {products.map((product) => (
          <Row key={product._id} product={product} mayUpdate={mayUpdate} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ product, mayUpdate }: { product: Product; mayUpdate: boolean }) {
  const isHighlighted = useHighlight(product.quantityAvailable, product._id);
  return (
    <tr
      role="row"
      className={cn(
        'relative grid items-center gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto] py-2.5 ps-15',
        isHighlighted && 'animate-highlight',
      )}
    >
      <td role="cell" className="min-w-0 font-medium">
        <Picture
          src={product.images[0]}
          alt=""
          sizes="48px"
          ground={product.category?.name}
          className="absolute inset-s-0 top-3 size-12 rounded-xs"
        />
        <bdi>{product.name}</bdi>
      </td>
      <td role="cell" className="sm:col-start-1">
        <Stock product={product} />
      </td>
      {mayUpdate && (
        <td
          role="cell"
          className="-ms-3 sm:col-start-2 sm:row-span-2 sm:row-start-1 sm:-me-3 sm:ms-0"
        >
          <LinkButton
            href={`/farmer/products?view=stock&product=${product._id}`}
            variant="quiet"
            size="sm"
            aria-label={t('Update Stock of {name}', { name: product.name })}
          >
            {t('Update Stock')}
          </LinkButton>
        </td>
      )}
    </tr>
  );
}

function stockWords(product: Product): string {
  const left = product.quantityAvailable;
  const level = stockLevel(countOf(product));
  if (level === 'empty') return t('None left');
  const quantity = formatCounted(left, product);
  if (isSoldOut(product)) return t('{quantity} left, too little for an order', { quantity });
  return level === 'scarce'
    ? t('{quantity} left, nearly gone', { quantity })
    : t('{quantity} left, running low', { quantity });
}

function Stock({ product }: { product: Product }) {
  const { quantityAvailable } = product;
  const isRest = quantityAvailable > 0 && isSoldOut(product);
  const style = styles[isRest ? 'empty' : stockLevel(countOf(product))];
  const part = Math.min(1, Math.max(0, countOf(product) / LOW_STOCK));
  return (
    <span className="grid max-w-48 gap-1">
      <span className={cn('tabular font-medium rows:whitespace-nowrap', style.text)}>
        {stockWords(product)}
      </span>
      <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-sunken">
        <span
          className={cn('block h-full rounded-full transition-[width] duration-500', style.bar)}
          style={{ width: `${Math.max(4, part * 100)}%` }}
        />
      </span>
    </span>
  );
}
