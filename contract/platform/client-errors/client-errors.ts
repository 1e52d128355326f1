import {
  clientErrorsApi as calls,
  CLIENT_ERROR_LIMITS as LIMITS,
} from '#contract/platform/client-errors/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { z } from '#contract/platform/http/zod';

/** An unhandled error in a browser, without personal data. */
export const ClientError = z.object({
  message: z.string().max(LIMITS.message),
  stack: z.string().max(LIMITS.stack).default(''),
  /** The page, without its query. */
  path: z.string().max(LIMITS.path).default(''),
});

export const clientErrorsApi = endpoints(calls, {
  report: {
    summary: 'Report an error of the web client to the log of the server',
    access: 'public',
    body: ClientError,
    rate: 'clientErrors',
  },
});
