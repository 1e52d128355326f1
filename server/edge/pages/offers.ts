import type { Product, ProductSize } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { theMarket } from '#contract/platform/market/constants';
import { formatMoney } from '#contract/platform/money/constants';
import { pricedUnit } from '#contract/platform/quantities/constants/pieces';
import { unitWord } from '#contract/platform/quantities/constants/quantities';
import { mostPieces } from '#contract/platform/quantities/constants/sizes';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import {
  type ComparedUnit,
  type PricedGoods,
  unitPrice,
} from '#contract/platform/quantities/constants/unit-price';
import { t } from '#contract/platform/text/constants/texts';

/** Says what a product costs: '₨450.00 per lb', '₨620.00 each', 'from ₨120.00' of what is sold in sizes. */
export function pricePerUnit(product: Product): string {
  const price = formatMoney(product.price);
  const unit = pricedUnit(product);
  if (product.sizes) return t('from {price}', { price });
  return unit === 'each'
    ? t('{price} each', { price })
    : t('{price} per {unit}', { price, unit: unitWord(unit) });
}

/** The codes by which search engines know the units that prices are compared by: UN/ECE recommendation 20. */
const UNIT_CODES: Readonly<Record<ComparedUnit, string>> = {
  kg: 'KGM',
  l: 'LTR',
  lb: 'LBR',
  quart: 'QT',
};

/** Returns the offers of a product in the words of schema.org: one, or one of each size together. */
export function offersOf(product: Product, at: (path: string) => string) {
  const { price, sizes, quantityAvailable, farmer, availableUntil } = product;
  const offer = (goods: PricedGoods, isOut: boolean) => ({
    '@type': 'Offer',
    url: at(`/products/${product._id}`),
    ...money(goods.price),
    ...comparedPrice(goods),
    availability: `https://schema.org/${isOut ? 'OutOfStock' : 'InStock'}`,
    ...(availableUntil && { priceValidUntil: availableUntil }),
    seller: {
      '@type': 'Organization',
      name: farmNameOf(farmer),
      url: at(`/farmers/${farmer._id}`),
    },
  });
  if (!sizes) return offer(product, isSoldOut(product));
  const offered = sizes.filter(({ isActive }) => isActive);
  const offerOf = (size: ProductSize) => ({
    ...offer({ ...product, price: size.price, size }, mostPieces(size, quantityAvailable) === 0),
    name: size.label,
    ...(size.sku && { sku: size.sku }),
  });
  return {
    '@type': 'AggregateOffer',
    lowPrice: priceText(price),
    highPrice: priceText(Math.max(price, ...offered.map((size) => size.price))),
    ...currency(),
    offerCount: offered.length,
    offers: offered.map(offerOf),
  };
}

const priceText = (amount: number): string => amount.toFixed(theMarket().currency.decimals);
/** ISO 4217: search engines read no signs. */
const currency = () => ({ priceCurrency: theMarket().currency.code });
const money = (amount: number) => ({ price: priceText(amount), ...currency() });

/** What goods cost per kg or l, by which those of different sizes compare; nothing where the price says it. */
function comparedPrice(goods: PricedGoods) {
  const compared = unitPrice(goods);
  return (
    compared && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        ...money(compared.amount),
        referenceQuantity: {
          '@type': 'QuantitativeValue',
          value: 1,
          unitCode: UNIT_CODES[compared.per],
        },
      },
    }
  );
}
