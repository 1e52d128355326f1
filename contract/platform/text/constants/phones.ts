import { theMarket } from '#contract/platform/market/constants';
import { searchForm } from '#contract/platform/text/constants/names';

/** The calling codes of countries (ITU-T E.164), each with those that have it. */
const CALLING_CODES =
  '1AG,AI,AS,BB,BM,BS,CA,DM,DO,GD,GU,JM,KN,KY,LC,MP,MS,PR,SX,TC,TT,UM,US,VC,VG,VI 20EG 211SS 212EH,MA 213DZ 216TN 218LY 220GM 221SN 222MR 223ML 224GN 225CI 226BF 227NE 228TG 229BJ 230MU 231LR 232SL 233GH 234NG 235TD 236CF 237CM 238CV 239ST 240GQ 241GA 242CG 243CD 244AO 245GW 246IO 248SC 249SD 250RW 251ET 252SO 253DJ 254KE 255TZ 256UG 257BI 258MZ 260ZM 261MG 262RE,TF,YT 263ZW 264NA 265MW 266LS 267BW 268SZ 269KM 27ZA 290SH 291ER 297AW 298FO 299GL 30GR 31NL 32BE 33FR 34ES 350GI 351PT 352LU 353IE 354IS 355AL 356MT 357CY 358AX,FI 359BG 36HU 370LT 371LV 372EE 373MD 374AM 375BY 376AD 377MC 378SM 379VA 380UA 381RS 382ME 383XK 385HR 386SI 387BA 389MK 39IT 40RO 41CH 420CZ 421SK 423LI 43AT 44GB,GG,GS,IM,JE 45DK 46SE 47BV,NO,SJ 48PL 49DE 500FK 501BZ 502GT 503SV 504HN 505NI 506CR 507PA 508PM 509HT 51PE 52MX 53CU 54AR 55BR 56CL 57CO 58VE 590BL,GP,MF 591BO 592GY 593EC 594GF 595PY 596MQ 597SR 598UY 599BQ,CW 60MY 61AU,CC,CX,HM 62ID 63PH 64NZ,PN 65SG 66TH 670TL 672AQ,NF 673BN 674NR 675PG 676TO 677SB 678VU 679FJ 680PW 681WF 682CK 683NU 685WS 686KI 687NC 688TV 689PF 690TK 691FM 692MH 7KZ,RU 81JP 82KR 84VN 850KP 852HK 853MO 855KH 856LA 86CN 880BD 886TW 90TR 91IN 92PK 93AF 94LK 95MM 960MV 961LB 962JO 963SY 964IQ 965KW 966SA 967YE 968OM 970PS 971AE 972IL 973BH 974QA 975BT 976MN 977NP 98IR 992TJ 993TM 994AZ 995GE 996KG 998UZ';

/** Countries where one dials an 8 within them where others dial a 0. */
const DIAL_EIGHT = ['BY', 'KZ', 'LT', 'RU', 'TM', 'UZ'];

const callingCodeOf = (country: string): string | undefined =>
  new RegExp(`(\\d+)(?:\\w\\w,)*${country}\\b`).exec(CALLING_CODES)?.[1];

/** Fewer digits are part of too many numbers. */
const DIGITS_MIN = 4;
/** What is left of a number without its code is searched for only if it still says enough. */
const NATIONAL_MIN = 3;

/** Returns a phone number as numbers are searched: its digits, without a zero that is dialled within the country alone. */
export const phoneForm = (phone: string): string => searchForm(phone).replace(/\(0\)|\D/g, '');

/**
 * Returns what a number that was searched for is found by: parts of {@link phoneForm}, one of which it has. '0151 23',
 * '+49 151 23' and '0049 (0)151-23' are one number of a market in Germany. None for a search that is no phone number.
 */
export function phonesSought(typed: string, country = theMarket().country): string[] {
  const form = searchForm(typed).trim();
  if (!/^[\d\s()+./-]+$/.test(form)) return [];
  const digits = phoneForm(form);
  if (digits.length < DIGITS_MIN) return [];
  const code = callingCodeOf(country);
  const isInternational = form.startsWith('+') || digits.startsWith('00');
  const number = digits.replace(/^0+/, '');
  // Without its + it may begin with the code, or only look so.
  const national =
    code !== undefined && number.startsWith(code)
      ? [number.slice(code.length).replace(/^0+/, '')]
      : [];
  const dialled =
    number.startsWith('8') && DIAL_EIGHT.includes(country)
      ? [number.slice(1).replace(/^0+/, '')]
      : [];
  const enough = (part: string) => part.length >= NATIONAL_MIN;
  const within = national.filter(enough);
  if (isInternational && within.length > 0) return within;
  const found = [
    number,
    ...national.filter((part) => part.length >= DIGITS_MIN),
    ...dialled,
  ].filter(enough);
  return found.length > 0 ? found : [digits];
}

/** Returns whether a search is a phone number, or enough of one, and this one has it. */
export function isPhoneFound(phone: string, typed: string): boolean {
  const form = phoneForm(phone);
  return phonesSought(typed).some((part) => form.includes(part));
}
