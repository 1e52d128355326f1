import { LOW_STOCK, type Product } from '#contract/products';
import { formatCount } from '../../lib/format.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { cn } from '../../ui/cn.ts';
import { Picture } from '../../ui/Picture.tsx';
import { type Column, Table } from '../../ui/Table.tsx';

/** How urgent a low stock is: nothing left, nearly nothing, or little. */
export type StockLevel = 'empty' | 'scarce' | 'low';

/** Red for 0, orange under 5, otherwise yellow. */
export function stockLevel(quantity: number): StockLevel {
  if (quantity <= 0) return 'empty';
  return quantity < 5 ? 'scarce' : 'low';
}

const looks: Record<StockLevel, { bar: string; text: string; word: string }> = {
  empty: { bar: 'bg-tomato', text: 'text-tomato', word: 'none left' },
  scarce: { bar: 'bg-orange', text: 'text-orange-ink', word: 'nearly gone' },
  low: { bar: 'bg-straw', text: 'text-straw-ink', word: 'running low' },
};

const columns: readonly Column<Product>[] = [
  {
    key: 'product',
    header: 'Product',
    primary: true,
    cell: (product) => (
      <span className="flex items-center gap-3">
        <Picture
          src={product.images[0]}
          alt=""
          sizes="40px"
          ground={product.category?.name}
          className="size-10 shrink-0 rounded-xs"
        />
        <span className="min-w-0">{product.name}</span>
      </span>
    ),
  },
  { key: 'stock', header: 'Quantity', cell: (product) => <Stock product={product} /> },
  {
    key: 'action',
    header: <span className="sr-only">Actions</span>,
    align: 'end',
    actions: true,
    cell: (product) => (
      <LinkButton
        href={`/farmer/products/edit/${product._id}`}
        variant="quiet"
        size="sm"
        aria-label={`Update Stock of ${product.name}`}
      >
        Update Stock
      </LinkButton>
    ),
  },
];

/** The products that run out, the emptiest first. */
export function LowStockTable({ products }: { products: readonly Product[] }) {
  return (
    <Table
      caption="Low stock"
      columns={columns}
      rows={products}
      rowKey={(product) => product._id}
      rowVersion={(product) => product.quantityAvailable}
    />
  );
}

function Stock({ product: { quantityAvailable, unit } }: { product: Product }) {
  const look = looks[stockLevel(quantityAvailable)];
  const part = Math.min(1, Math.max(0, quantityAvailable / LOW_STOCK));
  return (
    <span className="inline-grid w-36 gap-1">
      <span className={cn('tabular whitespace-nowrap font-medium', look.text)}>
        {formatCount(quantityAvailable)} {unit}, {look.word}
      </span>
      <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-sunken">
        <span
          className={cn('block h-full rounded-full transition-[width] duration-500', look.bar)}
          style={{ width: `${Math.max(4, part * 100)}%` }}
        />
      </span>
    </span>
  );
}
