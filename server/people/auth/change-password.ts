import type { ChangePassword } from '#contract/people/auth/auth';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { confirmOwner } from './confirm-owner.ts';
import { endResetLinks } from './endings.ts';
import { hashPassword } from './password.ts';
import { renewCalendarAddress } from './sessions.ts';
import { deleteSources, rememberSource, type Source } from './sources.ts';

/**
 * Sets a new password for somebody who is signed in and confirms it as the owner. Every other session, all reset
 * links, a change of email that waits and the known devices of the account end, and the calendar's address unless it is
 * to stay; this session and its device go on.
 * @throws 400 at `currentPassword` a wrong one, also where it was changed at the same time; 400 for the second factor
 *   and 401 as {@link confirmOwner}
 */
export async function changePassword(
  platform: Platform,
  user: SessionUser,
  { currentPassword: password, newPassword, renewsCalendar, ...secondFactor }: ChangePassword,
  source: Source,
): Promise<void> {
  const confirmation = { password, ...secondFactor };
  const owner = await confirmOwner(platform, user, confirmation, source).catch(atCurrentPassword);
  const passwordHash = await hashPassword(newPassword);
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    // Of two changes at once only the one that still finds the password it verified takes effect.
    const changed = await tx.user.updateManyAndReturn({
      where: { id: user.id, deletedAt: null, passwordHash: owner.passwordHash },
      data: { passwordHash },
      select: { id: true, email: true },
    });
    const [account] = changed;
    if (!account) throw wrongPassword();
    await owner.takeSecondFactor(tx);
    await endSessions(tx, user.id, { except: user.sessionId });
    if (renewsCalendar) await renewCalendarAddress(tx, user.id);
    await endResetLinks(tx, user.id);
    await deleteSources(tx, user.id);
    await rememberSource(platform, tx, account, source);
  });
  platform.sessions.invalidate(user.id);
}

const wrongPassword = () => invalidField('currentPassword', 'That is not your current password.');

/** Names the field as this form has it. @throws always */
function atCurrentPassword(error: unknown): never {
  const isPassword =
    error instanceof AppError && error.errors?.some(({ path }) => path === 'password');
  throw isPassword ? wrongPassword() : error;
}
