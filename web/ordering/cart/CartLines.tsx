import { useAtom, useSetAtom } from 'jotai';
import { Trash2 } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { Link } from 'wouter';
import type { Product, ProductSize } from '#contract/catalogue/products/product';
import { formatMoney } from '#contract/platform/money/constants';
import { formatPieceWeight } from '#contract/platform/quantities/constants/piece-words';
import {
  type CountedGoods,
  nameWithSize,
  pricedUnit,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import { perUnit } from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import {
  minimumOf,
  mostOf,
  type Steps,
  type Stocked,
  stepsOf,
} from '#contract/platform/quantities/constants/steps';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { inSize, type OfferedGoods, sizeOf } from '../../catalogue/model/sizes.ts';
import { rich } from '../../platform/format/rich.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { QuantityInput } from '../../platform/ui/fields/QuantityInput.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { UnitPrice } from '../../platform/ui/primitives/Money.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { SizeButtons } from '../model/size-parts.tsx';
import { removeLine, setLineQuantity, setLineSize } from './change-lines.ts';
import { noticeSentence } from './notice-words.ts';
import { canUpdate, type LineNotice } from './reconcile.ts';
import {
  type CartLine,
  cartAtom,
  EMPTY_CART,
  formatCost,
  lineKey,
  reorderNoticeAtom,
  takenByOthers,
} from './rules.ts';

/** Details of a line's product that are not part of the cart. */
export type LineDetails = OfferedGoods &
  Pick<Product, 'unit' | 'pieceWeight' | 'unitLabel' | 'net' | 'availability'>;

/** A product as a line is sold. */
type SoldGoods = Stocked & CountedGoods & Pick<LineDetails, 'net'>;

/** Returns a line's product as the line is sold: in its size, of the stock that the cart's other lines leave. */
function soldTo(
  line: CartLine,
  details: LineDetails | undefined,
  lines: readonly CartLine[],
): SoldGoods | undefined {
  const size = details && sizeOf(details, line.size?._id);
  return size ? inSize(details, size, takenByOthers(lines, line)) : details;
}

/** The lines of the cart, to change, remove or clear. */
export function CartLines({
  details,
  news,
  preferenceOf,
}: {
  /** By product id; missing while not loaded. */
  details: ReadonlyMap<string, LineDetails>;
  news: readonly LineNotice[];
  /** Renders the choice of what to do if the farm runs short of a line. */
  preferenceOf?: (line: CartLine) => ReactNode;
}) {
  const [cart, setCart] = useAtom(cartAtom);
  const setReorderNotice = useSetAtom(reorderNoticeAtom);
  const [isConfirming, setConfirming] = useState(false);

  const remove = (line: CartLine) => {
    setCart(removeLine(cart, lineKey(line)));
    toast.success(t('Item removed from cart'));
  };
  const clear = () => {
    setConfirming(false);
    setCart(EMPTY_CART);
    setReorderNotice([]);
    toast.success(t('Cart cleared'));
  };

  return (
    <section aria-labelledby="cart-lines" className="rounded border border-hairline bg-surface">
      <div className="flex items-center justify-between gap-x-4 border-b border-hairline px-4 py-3 sm:px-5">
        <h2 id="cart-lines" className="min-w-0 text-lg">
          {rich('From <a>{farm}</a>', {
            farm: cart.farmerName,
            a: (inner) => (
              <Link href={`/farmers/${cart.farmerId}`} className="link">
                <bdi>{inner}</bdi>
              </Link>
            ),
          })}
        </h2>
        <Button
          variant="danger-quiet"
          size="sm"
          onClick={() => setConfirming(true)}
          className="-me-3 shrink-0"
        >
          {t('Clear cart')}
        </Button>
      </div>
      <ul className="divide-y divide-hairline">
        {cart.lines.map((line) => (
          <Line
            key={lineKey(line)}
            line={line}
            sold={soldTo(line, details.get(line.productId), cart.lines)}
            news={news.find((each) => each.line === line)}
            onQuantity={(quantity, steps) =>
              setCart(setLineQuantity(cart, lineKey(line), quantity, steps))
            }
            onRemove={() => remove(line)}
            preference={preferenceOf?.(line)}
          >
            <SizeQuestion
              line={line}
              details={details.get(line.productId)}
              news={news.find((each) => each.line === line)}
              onChoose={(goods, size) => setCart(setLineSize(cart, lineKey(line), goods, size))}
            />
          </Line>
        ))}
      </ul>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={t('Clear the cart?')}
        description={t('This removes everything in it.')}
        confirmLabel={t('Clear cart')}
        danger
        onConfirm={clear}
      />
    </section>
  );
}

/** Asks for a size of what is sold in sizes by now, or no longer in the line's. */
function SizeQuestion({
  line,
  details,
  news,
  onChoose,
}: {
  line: CartLine;
  details: LineDetails | undefined;
  news: LineNotice | undefined;
  onChoose: (goods: LineDetails, size: ProductSize) => void;
}) {
  if (!news?.asksSize || !details) return null;
  return (
    <SizeButtons name={line.name} goods={details} onChoose={(size) => onChoose(details, size)} />
  );
}

function Line({
  line,
  sold,
  news,
  onQuantity,
  onRemove,
  preference,
  children,
}: {
  line: CartLine;
  /** Its product as the line is sold now; undefined while that is not known. */
  sold: SoldGoods | undefined;
  news: LineNotice | undefined;
  onQuantity: (quantity: number, steps: Steps) => void;
  onRemove: () => void;
  preference: ReactNode;
  children: ReactNode;
}) {
  const { price, quantity } = line;
  const name = nameWithSize(line.name, line.size);
  const steps = stepsOf(sold ?? line);
  return (
    <li className="grid grid-cols-[4.5rem_1fr] gap-x-4 gap-y-3 p-4 sm:grid-cols-[5.5rem_1fr_auto] sm:px-5">
      <Picture src={line.image} alt="" ground={line.name} sizes="6rem" className="rounded-sm" />
      <div className="grid min-w-0 content-start gap-0.5">
        <h3 className="font-semibold">
          <Link
            href={`/products/${line.productId}`}
            className="-my-2.5 inline-block py-2.5 hover:text-leaf hover:underline"
          >
            {name}
          </Link>
        </h3>
        <p className="tabular text-sm text-ink-soft">
          {sold ? soldSentence(line, sold, steps) : formatMoney(price)}
        </p>
        {sold && <UnitPrice of={{ ...line, unit: line.unit ?? sold.unit, net: sold.net }} />}
        {news && <p className="text-sm font-medium text-tomato">{noticeSentence(news)}</p>}
      </div>
      <div className="col-span-2 flex flex-wrap items-center justify-between gap-2 sm:col-span-1 sm:gap-3 sm:justify-end">
        {/* Until a size is chosen nobody knows of what it is a quantity. */}
        {!news?.asksSize && (
          <>
            <QuantityInput
              label={t('Quantity of {name}', { name })}
              value={quantity}
              onChange={(chosen) => onQuantity(chosen, steps)}
              steps={steps}
              max={sold && Math.max(minimumOf(sold), mostOf(sold))}
            />
            <span className="tabular min-w-24 whitespace-nowrap text-end font-semibold">
              {formatCost(line)}
            </span>
          </>
        )}
        <Button
          variant="quiet"
          size="icon"
          aria-label={t('Remove {name}', { name })}
          onClick={onRemove}
          className={cn('-me-3 text-ink-soft', news?.asksSize && 'ms-auto')}
        >
          <Trash2 className="size-5" />
        </Button>
      </div>
      <div className="col-span-2 empty:hidden sm:col-start-2">{children}</div>
      {preference && !news?.asksSize && (
        <div className="col-span-2 sm:col-start-2">{preference}</div>
      )}
    </li>
  );
}

/** Says what a line's product costs, in which steps it is sold, and what a piece weighs. */
function soldSentence(line: CartLine, sold: SoldGoods, steps: Steps): string {
  const { unit, pieceWeight } = sold;
  return listOf(
    [
      [
        formatMoney(line.price),
        perUnit(
          pricedUnit({ unit: line.unit ?? unit, size: line.size, unitLabel: sold.unitLabel }),
        ),
      ].join(' '),
      Object.keys(steps).length > 0 &&
        t('sold {steps}', { steps: formatSteps(steps, quantityUnit(sold)) }),
      pieceWeight && formatPieceWeight(pieceWeight, unit),
    ].filter((words) => typeof words === 'string'),
    'unit',
  );
}

/** Shows what changed since the cart was filled, with a button that applies the changes. */
export function CartNotices({
  news,
  onAccept,
  ref,
}: {
  news: readonly LineNotice[];
  onAccept: () => void;
  ref?: Ref<HTMLDivElement>;
}) {
  // The live region is rendered before its text, so that screen readers announce the text.
  return (
    <div ref={ref} tabIndex={-1} role="status" data-quiet-focus="" className="empty:hidden">
      {news.length > 0 && (
        <Changes
          kind="warning"
          title={t('Some things in your cart have changed')}
          sentences={news.map(noticeSentence)}
          button={canUpdate(news) ? t('Update my cart') : undefined}
          onPress={onAccept}
        />
      )}
    </div>
  );
}

/** Says what has changed since the order that was put into the cart again. */
export function ReorderNotice() {
  const [sentences, setSentences] = useAtom(reorderNoticeAtom);
  if (sentences.length === 0) return null;
  return (
    <Changes
      kind="info"
      title={t('Some things have changed since your order')}
      sentences={sentences}
      button={t('All right')}
      onPress={() => setSentences([])}
    />
  );
}

function Changes({
  kind,
  title,
  sentences,
  button,
  onPress,
}: {
  kind: 'warning' | 'info';
  title: string;
  sentences: readonly string[];
  /** Nothing where the lines themselves say what to do. */
  button: string | undefined;
  onPress: () => void;
}) {
  return (
    <Alert kind={kind} className="animate-fade-in">
      <p className="font-semibold">{title}</p>
      <ul className="my-2 grid list-disc gap-1 ps-5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {button && (
        <Button variant="secondary" size="sm" onClick={onPress}>
          {button}
        </Button>
      )}
    </Alert>
  );
}
