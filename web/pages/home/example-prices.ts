import { theMarket } from '#contract/platform/market/constants';

/** Currencies in which a dozen of eggs costs less than ten: an example in hundreds would be absurd there. */
const DEAR = new Set(
  'AED AUD AZN BAM BBD BGN BHD BND BRL BSD BYN BZD CAD CHF EUR FJD GBP GEL GIP ILS JOD KWD KYD LYD MYR NZD OMR PAB PEN PLN QAR RON SAR SGD TND TOP USD XCD'.split(
    ' ',
  ),
);

/** Returns an example price that was made up in rupees, in an order of magnitude that fits the market's currency. */
export const examplePrice = (rupees: number): number =>
  DEAR.has(theMarket().currency.code) ? rupees / 100 : rupees;
