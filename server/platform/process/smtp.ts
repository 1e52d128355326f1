import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { theMarket } from '#contract/platform/market/constants';
import { ownContact } from '#contract/platform/market/constants/choices';
import { type Env, SettingError, senderAddress } from './env.ts';
import { judgeFailure, type SmtpVerdict } from './smtp-reply.ts';

const MINUTE_MS = 60_000;

/** How long each step of a mail server is waited for, in milliseconds: at least as RFC 5321, 4.5.3.2 says. */
export const SMTP_WAITS = {
  /** From the first packet to the greeting; a server may look its client up before it greets. */
  greetingMs: 5 * MINUTE_MS,
  /** For each later answer. After the last dot a server may scan the mail for as long as this. */
  answerMs: 10 * MINUTE_MS,
  /** For all of a mail, against a server that sends a byte now and then. */
  mailMs: 30 * MINUTE_MS,
};

/** Mails over one connection, of which providers allow some hundred. */
const MAILS_PER_CONNECTION = 100;

/** Thrown when a mail server did not take a mail, or did not say whether it did. */
export class SmtpError extends Error {
  readonly verdict: SmtpVerdict;
  /** The three digits of the reply; undefined without one. */
  readonly code: number | undefined;
  /** The reply in full; empty without one. */
  readonly reply: string;
  /** Whether the last dot was sent. */
  readonly isHandedOver: boolean;

  constructor(
    message: string,
    { verdict, code, reply, isHandedOver }: Omit<SmtpError, keyof Error>,
  ) {
    super(message);
    this.verdict = verdict;
    this.code = code;
    this.reply = reply;
    this.isHandedOver = isHandedOver;
  }
}

/** A composed mail. */
export interface Mail {
  /** The same on every attempt, so that mailboxes detect a duplicate. */
  id: string;
  /** The bare address: a name may be chosen by an attacker, so no header contains one. */
  to: string;
  /** One line. */
  subject: string;
  text: string;
  html: string;
  /** Where mails of this kind are turned off, for kinds that can be. */
  unsubscribeUrl?: string;
  /** Names what the mails of one thread are about. No mail has it as its own id: any of them may be the first. */
  thread?: string;
  attachments?: readonly { filename: string; content: string; contentType: string }[];
}

/**
 * Returns the headers by which mailboxes offer to turn mails off (RFC 8058), with one click where that is safe.
 * Each is one line, however long its address.
 */
function unsubscribeHeaders(url: string | undefined) {
  if (url === undefined) return {};
  const line = (value: string) => ({ prepared: true, value });
  return {
    'List-Unsubscribe': line(`<${url}>`),
    ...(url.startsWith('https:')
      ? { 'List-Unsubscribe-Post': line('List-Unsubscribe=One-Click') }
      : {}),
  };
}

const messageId = ({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, id: string): string =>
  `<${id}@${new URL(PUBLIC_URL).hostname}>`;

/** Returns a mail as it is sent: from the market, in its name. */
export const toMessage = (
  env: Pick<Env, 'MAIL_FROM' | 'PUBLIC_URL'>,
  { id, unsubscribeUrl, thread, attachments = [], ...mail }: Mail,
): SendMailOptions => {
  const replyTo = ownContact(theMarket()).email;
  return {
    ...mail,
    attachments: [...attachments],
    // As an object, so that the address is never parsed as a list.
    to: { name: '', address: mail.to },
    from: { name: theMarket().name, address: senderAddress(env) },
    ...(replyTo ? { replyTo } : {}),
    messageId: messageId(env, id),
    ...(thread === undefined
      ? {}
      : { references: messageId(env, thread), inReplyTo: messageId(env, thread) }),
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};

type SmtpEnv = Pick<Env, 'SMTP_URL' | 'SMTP_CA_FILE' | 'SMTP_CONNECTIONS'>;

/**
 * Opens a pool of connections to the mail server of `SMTP_URL`; each opens with its first mail and closes when idle.
 * @throws SettingError when SMTP_CA_FILE cannot be read
 */
export function createSmtp(
  env: SmtpEnv & { SMTP_URL: string },
  {
    waits = SMTP_WAITS,
    onReply,
  }: { waits?: typeof SMTP_WAITS; onReply?: (reply: string) => void } = {},
) {
  const transport = createTransport({
    pool: true,
    url: env.SMTP_URL,
    maxConnections: env.SMTP_CONNECTIONS,
    maxMessages: MAILS_PER_CONNECTION,
    // What is sent again, and when, is decided by its row.
    maxRequeues: 0,
    // The limit of everything up to STARTTLS, the greeting included.
    connectionTimeout: 2 * waits.greetingMs,
    greetingTimeout: waits.greetingMs,
    socketTimeout: waits.answerMs,
    ...securityOf(env),
    ...(onReply ? { transactionLog: true, logger: replyLogger(onReply) } : {}),
  });

  /**
   * Hands a mail over. `beforeLastDot` runs when the server has everything but the end of the mail; until it resolves
   * the server cannot take it. `signal` breaks off.
   * @returns what the server answered
   * @throws SmtpError; what `beforeLastDot` throws
   */
  async function send({
    signal,
    beforeLastDot,
    ...mail
  }: SendMailOptions & { beforeLastDot?: () => Promise<void> }): Promise<string> {
    let isHandedOver = false;
    let ownError: unknown;
    const atLastDot = async () => {
      try {
        await beforeLastDot?.();
      } catch (error) {
        ownError = error;
        throw error;
      }
      isHandedOver = true;
    };
    const limit = AbortSignal.timeout(waits.mailMs);
    try {
      const { response } = await transport.sendMail({
        ...mail,
        signal: signal ? AbortSignal.any([signal as AbortSignal, limit]) : limit,
        atLastDot,
      } as SendMailOptions);
      return response;
    } catch (error) {
      throw ownError ?? toSmtpError(error as SmtpFailureLike, isHandedOver);
    }
  }

  // The content is read only once the server has asked for it, and its end waits for `atLastDot`.
  transport.use('stream', (mail, done) => {
    const { atLastDot } = mail.data as { atLastDot: () => Promise<void> };
    mail.message.build().then((content) => {
      mail.message.createReadStream = () =>
        Readable.from(endingAfter(content, atLastDot), { objectMode: false });
      done();
    }, done);
  });

  return {
    send,
    /** Closes the connections, also those that are waiting for an answer. */
    close: () => transport.close({ force: true }),
  };
}

async function* endingAfter(content: Buffer, atLastDot: () => Promise<void>) {
  yield content;
  await atLastDot();
}

type SmtpFailureLike = Error & {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
};

function toSmtpError(error: SmtpFailureLike, isHandedOver: boolean): SmtpError {
  const { code, responseCode, response = '', command } = error;
  const failure = { code: responseCode || undefined, reply: response, command, isHandedOver };
  // Not even offered: nothing that a server could say will change it.
  const isImpossible =
    !failure.code && !isHandedOver && (code === 'EENVELOPE' || code === 'EMESSAGE');
  const verdict = isImpossible ? 'refused' : judgeFailure(failure);
  return new SmtpError(error.message, { ...failure, verdict });
}

/** Whether a mail server runs on the same machine, where nobody listens in. */
const isLocal = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

/**
 * Returns how the connection is encrypted, beside what SMTP_URL says: by TLS wherever the server offers it, but for a
 * relay on the same machine, whose certificate is rarely one that a client trusts.
 */
function securityOf(env: SmtpEnv & { SMTP_URL: string }) {
  if (env.SMTP_CA_FILE === undefined) return isLocal(env.SMTP_URL) ? { ignoreTLS: true } : {};
  try {
    return { tls: { ca: [...rootCertificates, readFileSync(env.SMTP_CA_FILE, 'utf8')] } };
  } catch (error) {
    throw new SettingError(
      `The setting SMTP_CA_FILE is wrong (${(error as Error).message}): it names a file with certificates in PEM form.`,
    );
  }
}

/** Passes on what the server says, and nothing of what is sent to it. */
function replyLogger(onReply: (reply: string) => void) {
  const ignore = () => {};
  const debug = (entry: { tnx?: string }, text?: string) => {
    if (entry.tnx === 'server' && text) onReply(text);
  };
  return {
    level: ignore,
    trace: ignore,
    debug,
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  };
}
