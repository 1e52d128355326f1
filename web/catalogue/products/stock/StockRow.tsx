import {
  Check,
  Copy,
  EllipsisVertical,
  Eye,
  EyeOff,
  Infinity as InfinityIcon,
  PackageMinus,
  Pencil,
  Sunrise,
} from 'lucide-react';
import { memo, type RefCallback, useSyncExternalStore } from 'react';
import { priceLimits } from '#contract/catalogue/products/constants/prices';
import type { Product, ProductSize } from '#contract/catalogue/products/product';
import {
  formatCounted,
  formatGoodsQuantity,
  nameWithSize,
  pricedUnit,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import { perUnit, unitWord } from '#contract/platform/quantities/constants/quantities';
import { goodsKey, piecesLeft } from '#contract/platform/quantities/constants/sizes';
import { quantityLimits } from '#contract/platform/quantities/constants/step-fields';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { useMarket } from '../../../platform/format/market.ts';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Menu, MenuItem, MenuLink } from '../../../platform/ui/dialogs/Menu.tsx';
import { NumberQuestion } from '../../../platform/ui/fields/NumberInput.tsx';
import { Stepper } from '../../../platform/ui/fields/QuantityInput.tsx';
import { Badge, Button } from '../../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../../platform/ui/primitives/Picture.tsx';
import { categoryName } from '../labels.ts';
import { PriceField, Status, useCell } from './StockCells.tsx';
import { readStock, type StockRowState } from './stock-edit.ts';
import { stockSaver as saver } from './stock-saver.ts';

/** A product in the stock view: its stock, price and visibility, saved as one goes. */
export const StockRow = memo(function StockRow({
  product,
  isTicked,
  onTick,
  onVisible,
  onShort,
  fieldRef,
}: {
  product: Product;
  isTicked: boolean;
  onTick: (product: Product) => void;
  onVisible: (product: Product, isActive: boolean) => void;
  onShort?: ((product: Product) => void) | undefined;
  /** Gets the stock's field, to put the focus there. */
  fieldRef?: RefCallback<HTMLInputElement> | undefined;
}) {
  useMarket();
  const row = useSyncExternalStore(saver.subscribe, () => saver.get(product._id));
  const isHighlighted = useHighlight(product.version, product._id);
  const { name, isActive } = product;
  const isAlways = product.availability === 'always';
  const isEmpty = !isAlways && product.quantityAvailable === 0 && row.quantity === null;
  const isRest = !isAlways && !isEmpty && row.quantity === null && isSoldOut(product);
  return (
    <li
      data-product={product._id}
      className={cn(
        'grid grid-cols-[2.5rem_minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 bg-surface py-2 pe-1',
        'sm:col-span-full sm:grid-cols-subgrid sm:py-1.5',
        isHighlighted && 'animate-highlight',
      )}
    >
      <Tick name={name} isTicked={isTicked} onTick={() => onTick(product)} />
      <span className="flex min-w-0 items-center gap-3">
        <Picture
          src={product.images[0]}
          alt=""
          ground={product.category?.name}
          sizes="2.5rem"
          className="size-10 shrink-0 rounded-sm max-sm:hidden"
        />
        <span className="grid min-w-0 text-sm">
          <span className="flex min-w-0 items-center gap-2">
            <span dir="auto" className={cn('min-w-0 font-medium', !isActive && 'text-ink-soft')}>
              {name}
            </span>
            {!isActive && <Badge>{t('Inactive')}</Badge>}
            {(isEmpty || isRest) && (
              <Badge tone="tomato">
                {product.returnsAt ? t('Back in the morning') : t('Sold out')}
              </Badge>
            )}
          </span>
          <Status id={product._id} row={row}>
            {isRest
              ? t('Less than the smallest order of {minimum}', {
                  minimum: formatCounted(minimumOf(product), product),
                })
              : describe(product)}
          </Status>
          <NumberQuestion
            text={row.quantity ?? ''}
            onText={(text) => saver.typeQuantity(product, text, product.quantityAvailable)}
            limits={quantityLimits(product)}
          />
          <NumberQuestion
            text={row.price ?? ''}
            onText={(text) => saver.typePrice(product, text)}
            limits={priceLimits()}
          />
        </span>
      </span>
      <div className="col-span-3 col-start-1 row-start-2 flex flex-wrap items-center gap-1.5 px-1 sm:contents">
        {isAlways ? (
          <span className="inline-flex min-h-10 items-center gap-1.5 text-sm text-ink-soft max-sm:me-auto sm:col-span-2 sm:col-start-3 sm:row-start-1">
            <InfinityIcon className="size-4 shrink-0" />
            {t('Always available')}
          </span>
        ) : (
          <>
            <QuantityField product={product} row={row} fieldRef={fieldRef} />
            <span
              className={cn(
                'w-13 shrink-0 truncate text-xs text-ink-soft sm:col-start-4 sm:row-start-1',
                // Of a stock in sizes nothing else says what is counted.
                !product.sizes && 'max-sm:hidden',
              )}
            >
              {product.pieceWeight
                ? t('pieces')
                : unitWord(
                    quantityUnit(product),
                    readStock(row.quantity ?? '', product) || product.quantityAvailable,
                  )}
            </span>
          </>
        )}
        {!product.sizes && (
          <PriceField
            id={product._id}
            row={row}
            name={name}
            price={product.price}
            onType={(text) => saver.typePrice(product, text)}
            className={cn(
              priceColumn,
              'min-w-0 max-sm:w-18 max-sm:grow max-sm:px-1 sm:row-start-1',
            )}
          />
        )}
        {!isAlways && (
          <Button
            size="sm"
            variant="secondary"
            aria-label={t('Sold out: {name}', { name })}
            disabled={isEmpty}
            onClick={() => saver.sellOut(product)}
            className="shrink-0 whitespace-nowrap max-sm:ms-auto max-sm:px-1.5 sm:col-start-6 sm:row-start-1"
          >
            {t('Sold out')}
          </Button>
        )}
      </div>
      <Menu
        label={t('Actions of {name}', { name })}
        trigger={
          <Button
            size="icon"
            variant="quiet"
            aria-label={t('More for {name}', { name })}
            icon={<EllipsisVertical />}
            className="col-start-3 row-start-1 sm:col-start-7"
          />
        }
      >
        {!isAlways && product.quantityAvailable > 0 && (
          <MenuItem icon={<Sunrise />} onSelect={() => saver.sellOut(product, 'morning')}>
            {t('Sold out until tomorrow')}
          </MenuItem>
        )}
        {onShort && (
          <MenuItem icon={<PackageMinus />} onSelect={() => onShort(product)}>
            {t('Short of it')}
          </MenuItem>
        )}
        <MenuItem
          icon={isActive ? <EyeOff /> : <Eye />}
          onSelect={() => onVisible(product, !isActive)}
        >
          {isActive ? t('Hide') : t('Show')}
        </MenuItem>
        <MenuLink icon={<Copy />} href={`/farmer/products/add?from=${product._id}`}>
          {t('Duplicate')}
        </MenuLink>
        <MenuLink icon={<Pencil />} href={`/farmer/products/edit/${product._id}`}>
          {t('Edit')}
        </MenuLink>
      </Menu>
      {product.sizes && (
        <ul
          aria-label={t('Prices of {name}', { name })}
          className="col-span-full grid gap-1 max-sm:ps-2 max-sm:pe-1 sm:grid-cols-subgrid"
        >
          {product.sizes.map((size) => (
            <SizePrice key={size._id} product={product} size={size} />
          ))}
        </ul>
      )}
    </li>
  );
});

/** Where prices stand on a wide screen, of products and of their sizes. */
const priceColumn = 'sm:col-start-5 sm:w-22';

/** What a row says of a product that is saved: its kind, and its price's unit or how many of each size are left. */
function describe(product: Product): string {
  const { sizes, quantityAvailable } = product;
  if (!sizes) return listOf([categoryName(product), perUnit(pricedUnit(product))], 'unit');
  if (product.availability === 'always') return categoryName(product);
  const left = sizes
    .filter(({ isActive }) => isActive)
    .map((size) => formatGoodsQuantity({ product, size }, piecesLeft(size, quantityAvailable)));
  return t('{sizes} left', { sizes: listOf(left, 'unit') });
}

/** A size in the stock view: its price, saved as one goes. */
function SizePrice({ product, size }: { product: Product; size: ProductSize }) {
  const id = goodsKey({ product: product._id, size: size._id });
  const row = useSyncExternalStore(saver.subscribe, () => saver.get(id));
  const onType = (text: string) => saver.typePrice(product, text, size._id);
  return (
    <li className="flex items-center justify-end gap-2 text-sm sm:col-span-full sm:grid sm:grid-cols-subgrid">
      <span className="grid min-w-0 grow sm:col-start-2 sm:col-end-5 sm:ps-13">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <span
            dir="auto"
            className={cn('min-w-0 wrap-anywhere', !size.isActive && 'text-ink-soft')}
          >
            {size.label}
          </span>
          {!size.isActive && <Badge>{t('Off')}</Badge>}
        </span>
        <Status id={id} row={row}>
          {size.sku ?? null}
        </Status>
        <NumberQuestion text={row.price ?? ''} onText={onType} limits={priceLimits()} />
      </span>
      <PriceField
        id={id}
        row={row}
        name={nameWithSize(product.name, size)}
        price={size.price}
        onType={onType}
        className={cn(priceColumn, 'shrink-0 max-sm:w-24')}
      />
    </li>
  );
}

function Tick({ name, isTicked, onTick }: { name: string; isTicked: boolean; onTick: () => void }) {
  return (
    <label className="relative grid h-full min-h-11 cursor-pointer place-items-center">
      <input
        type="checkbox"
        checked={isTicked}
        onChange={onTick}
        aria-label={t('Select {name}', { name })}
        className="peer size-5 cursor-pointer appearance-none rounded-xs border border-outline bg-surface checked:border-leaf checked:bg-leaf"
      />
      <Check
        strokeWidth={3}
        className="pointer-events-none absolute size-3.5 text-on-leaf opacity-0 peer-checked:opacity-100"
      />
    </label>
  );
}

type FieldProps = { product: Product; row: StockRowState };

function QuantityField({
  product,
  row,
  fieldRef,
}: FieldProps & { fieldRef: RefCallback<HTMLInputElement> | undefined }) {
  const { _id: id, name, quantityAvailable } = product;
  const { value, props } = useCell({ id, row }, row.quantity, quantityAvailable);
  const shown = row.quantity ?? writeTyped(value);
  const limits = quantityLimits(product);
  return (
    <Stepper
      label={name}
      onStep={(count) => saver.step(product, count)}
      isLeast={readStock(shown, product) <= 0}
      className={cn(
        'sm:col-start-3 sm:row-start-1',
        row.status === 'refused' && row.quantity !== null && 'border-tomato',
      )}
    >
      <input
        ref={fieldRef}
        type="text"
        inputMode={limits.decimals === 0 ? 'numeric' : 'decimal'}
        data-quiet-focus=""
        aria-label={t('Stock of {name}', { name })}
        value={shown}
        onChange={(event) => saver.typeQuantity(product, event.target.value, value)}
        {...props}
        className="tabular w-12 self-stretch bg-transparent text-center text-base outline-none sm:w-14 sm:text-sm pointer-coarse:text-base"
      />
    </Stepper>
  );
}
