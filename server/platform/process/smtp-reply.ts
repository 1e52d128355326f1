/**
 * What a failed attempt to hand over a mail means: `retry` later; `refused` permanently; `addressRefused`: so is every
 * other mail to this address; `unknown`: it may have been taken.
 */
export type SmtpVerdict = 'retry' | 'refused' | 'addressRefused' | 'unknown';

/** A negative reply of a mail server, or that there was none. */
export interface SmtpFailure {
  /** The three digits; undefined without a reply. */
  code: number | undefined;
  /** The reply in full. */
  reply: string;
  /** What was being answered, as in 'RCPT TO'; of the content it is 'DATA'. */
  command: string | undefined;
  /** Whether the last dot was sent. */
  isHandedOver: boolean;
}

/** Commands whose answer is about the mail. What others are refused is between the market and its mail server. */
const OF_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/**
 * Enhanced status codes (RFC 3463 and its registry) that mean the receiver's address itself: it does not exist (5.1.1,
 * 5.1.2, 5.1.3, 5.1.6, 5.1.10, 5.1.0 without details, 5.1.4), or is closed (5.2.1). 5.4.1 is what Exchange Online
 * answers for somebody it does not know. 5.1.7 and 5.1.8 are about the sender; 5.2.2 is a full mailbox; 5.7 is policy.
 */
const OF_THE_ADDRESS = new Set(
  ['1.0', '1.1', '1.2', '1.3', '1.4', '1.6', '1.10', '2.1', '4.1', '4.4'].map(
    (code) => `5.${code}`,
  ),
);

/** Enhanced codes that say no more than the basic one. */
const WITHOUT_DETAILS = new Set(['5.0.0', '5.5.0']);

/** Basic codes that mean the address (RFC 5321, 4.2.3). */
const BASIC_OF_THE_ADDRESS = new Set([550, 551, 553]);

/** Words by which a server means something else: its sender, whom it relays for, what it blocks, a full mailbox. */
const OF_SOMETHING_ELSE =
  /\b(relay\w*|spam\w*|block\w*|black-?list\w*|policy|reputation|senders?|authenti\w*|spf|dkim|dmarc|rate|quota|full|too many|not permitted)\b/i;

/** Decides what a failure means for the mail and its address. */
export function judgeFailure({ code, reply, command, isHandedOver }: SmtpFailure): SmtpVerdict {
  if (code === undefined) return isHandedOver ? 'unknown' : 'retry';
  const isFinal = code >= 500 && command !== undefined && OF_THE_MAIL.has(command);
  if (!isFinal) return 'retry';
  return command === 'RCPT TO' && isAboutAddress(code, reply) ? 'addressRefused' : 'refused';
}

function isAboutAddress(code: number, reply: string): boolean {
  // An address may contain any word.
  if (OF_SOMETHING_ELSE.test(reply.replace(/<[^>]*>/g, ''))) return false;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1];
  return enhanced === undefined || WITHOUT_DETAILS.has(enhanced)
    ? BASIC_OF_THE_ADDRESS.has(code)
    : OF_THE_ADDRESS.has(enhanced);
}
