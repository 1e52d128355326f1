import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { onOneLine } from '#contract/platform/text/constants/excerpts';
import type { Env } from '../../../server/platform/process/env.ts';
import type { Log } from '../../../server/platform/process/log.ts';
import {
  createSmtp,
  type Mail,
  type SMTP_WAITS,
  SmtpError,
  toMessage,
} from '../../../server/platform/process/smtp.ts';
import { PostponedError } from '../../delivery/postpone.ts';
import { createMailPace, waitForTurn } from './mail-pace.ts';

export interface Mailer {
  /**
   * Hands a mail over. `beforeLastDot` runs before the mail server can have taken it.
   * @throws SmtpError when it was not taken, or nobody knows; PostponedError when the mailer stopped before
   */
  send(mail: Mail, beforeLastDot: () => Promise<void>): Promise<void>;
  /** Breaks off what no server can have taken yet; what one may have taken is waited for. */
  stop(): void;
  close(): void;
}

/** When a mail is attempted again that was broken off because its process ends. */
const BROKEN_OFF_MS = 1000;

/** Service not available: the server is busy, or wants fewer connections or mails. */
const SERVICE_NOT_AVAILABLE = 421;

type MailerEnv = Pick<
  Env,
  | 'SMTP_URL'
  | 'SMTP_CA_FILE'
  | 'SMTP_CONNECTIONS'
  | 'MAILS_PER_SECOND'
  | 'MAIL_FROM'
  | 'PUBLIC_URL'
  | 'DATA_DIR'
>;

/**
 * Creates a mailer that sends by `SMTP_URL`; without one, it writes each mail to a file in `DATA_DIR/mail`.
 * @throws SettingError when a setting about mail is wrong
 */
export function createMailer(
  env: MailerEnv,
  log: Log,
  options: { waits?: typeof SMTP_WAITS } = {},
): Mailer {
  const { SMTP_URL } = env;
  return SMTP_URL === undefined
    ? createFileMailer(env, log)
    : createSmtpMailer({ ...env, SMTP_URL }, log, options);
}

function createSmtpMailer(
  env: MailerEnv & { SMTP_URL: string },
  log: Log,
  options: { waits?: typeof SMTP_WAITS },
): Mailer {
  const smtp = createSmtp(env, options);
  const pace = createMailPace({ perSecond: env.MAILS_PER_SECOND });
  const stopping = new AbortController();
  return {
    send: async (mail, beforeLastDot) => {
      const breakingOff = new AbortController();
      const breakOff = () => breakingOff.abort();
      stopping.signal.addEventListener('abort', breakOff);
      const keepOn = () => stopping.signal.removeEventListener('abort', breakOff);
      try {
        stopping.signal.throwIfAborted();
        await waitForTurn(pace, stopping.signal);
        await smtp.send({
          ...toMessage(env, { ...mail, subject: onOneLine(mail.subject) }),
          signal: breakingOff.signal,
          beforeLastDot: async () => {
            keepOn();
            await beforeLastDot();
          },
        });
        pace.wasTaken();
      } catch (error) {
        if (stopping.signal.aborted && !(error instanceof SmtpError && error.isHandedOver)) {
          throw new PostponedError(BROKEN_OFF_MS);
        }
        if (error instanceof SmtpError && error.code === SERVICE_NOT_AVAILABLE) {
          log.warn({ pauseMs: pace.slowDown() }, 'Mail server wants fewer mails; pausing');
        }
        throw error;
      } finally {
        keepOn();
      }
    },
    stop: () => stopping.abort(),
    close: smtp.close,
  };
}

/** Creates a mailer that names each file by the mail's id, so that a repeat replaces it. */
function createFileMailer(env: MailerEnv, log: Log): Mailer {
  const folder = path.resolve(env.DATA_DIR, 'mail');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(
        toMessage(env, { ...mail, subject: onOneLine(mail.subject) }),
      );
      await mkdir(folder, { recursive: true });
      const file = path.join(folder, `${mail.id}.eml`);
      // Rename when complete, so that nobody reads a partial mail.
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, message as Buffer);
      await rename(draft, file);
      log.info({ file }, 'Mail written to a file; SMTP_URL is not set');
    },
    stop: () => {},
    close: () => {},
  };
}
