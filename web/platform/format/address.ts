import {
  type BrowserLocationHook,
  navigate,
  useBrowserLocation,
} from 'wouter/use-browser-location';
import { theMarket } from '#contract/platform/market/constants';
import { addressIn, splitAddress, theReader } from '#contract/platform/text/constants/reader';

/** Splits an address; that of the present reader is a language too where the market has just given it up. */
const split = (address: string) =>
  splitAddress(address, [...theMarket().languages, theReader().language]);

/** Returns the language that an address names, in a market that offers it. */
export const languageAt = (address: string): string | undefined => split(address)[0];

/** Returns an address without its language: `/products` for `/ur/products`. */
export const withoutLanguage = (address: string): string => split(address)[1];

/** Returns the address of a page in the reader's language, or in the one that the address names. */
export const toAddress = (to: string): string =>
  to[0] !== '/' || languageAt(to)
    ? to
    : addressIn(to, theReader().language, theMarket().languages[0]);

/** Opens a page in the reader's language. */
export const navigateTo: typeof navigate = (to, options) => navigate(toAddress(`${to}`), options);

/** For the router: where it is, whichever language the address names. */
export const useAddress: BrowserLocationHook = (options) => {
  const [address] = useBrowserLocation(options);
  return [withoutLanguage(address), navigateTo];
};
