import { type AddressPart, theMarket } from '#contract/platform/market/constants';

/** An address, or what there is of one. */
export type AddressParts = { [Part in AddressPart]?: string | null | undefined };

/** A part in a template, and what stands before it. */
export const PART = /(.*?)(street|city|state|zipCode)/g;

/** Writes one line of a template, without the parts that the address lacks and what stands beside them. */
function writeLine(line: string, address: AddressParts): string {
  let text = '';
  let between = '';
  for (const [, before = '', part] of line.matchAll(PART)) {
    const value = address[part as AddressPart];
    between ||= before;
    if (value) {
      text += between + value;
      between = '';
    } else if (!text) between = ' ';
  }
  return text.trim();
}

/** Formats an address in the lines in which the market's country writes it, omitting missing parts. */
export const addressLines = (address: AddressParts | null | undefined): string[] =>
  theMarket()
    .addressFormat.template.split('\n')
    .map((line) => writeLine(line, address ?? {}))
    .filter(Boolean);

/** As addresses are written in any language. */
const BETWEEN = ', ';

/** Formats an address in one line, omitting missing parts: '1 Mill Rd, Salem, OR 97301'. */
export const formatAddress = (address: AddressParts | null | undefined): string =>
  addressLines(address).join(BETWEEN);

/** Formats the town of an address: 'Salem, OR'. */
export const formatTown = (address: AddressParts | null | undefined): string =>
  formatAddress({ city: address?.city, state: address?.state });
