import { clientErrorsApi } from '#contract/platform/client-errors/client-errors';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { createLogBudget } from './log-budget.ts';
import { browserFamily, messageWithoutPersonalData, withoutPersonalData } from './scrub.ts';

/** Limit per process, however many browsers report errors. */
const LINES_PER_MINUTE = 60;

/** Route of `/client-errors`: logs errors of browsers. */
export function clientErrorsRoutes({ log }: Platform): Route[] {
  const mayLog = createLogBudget(LINES_PER_MINUTE, (dropped) =>
    log.warn({ dropped }, 'Client errors dropped: too many in a minute'),
  );
  return [
    route(clientErrorsApi.report, async ({ body, ctx }) => {
      if (mayLog()) {
        log.warn(
          {
            message: messageWithoutPersonalData(body.message),
            stack: withoutPersonalData(body.stack),
            path: withoutPersonalData(body.path.replace(/[?#].*$/s, '')),
            browser: browserFamily(ctx.get('user-agent')),
          },
          'Client error',
        );
      }
      return {};
    }),
  ];
}
