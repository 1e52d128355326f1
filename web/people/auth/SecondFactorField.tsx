import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldPath } from 'react-hook-form';
import type { SignedChallenge } from '#contract/people/auth/confirmation';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError, errorMessage } from '../../platform/api/api-error.ts';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';
import { canUsePasskeys, isCodeRequired, signWithPasskey } from './commands.ts';
import { secondFactorQuery } from './security/queries.ts';

/** Asks for the second factor below the password, of an account that has one: a code, or a passkey in its place. */
export function SecondFactorField<Values extends { code?: string | undefined }, Output>({
  step: { isAsked, hasPasskey, isByPasskey, setByPasskey },
  form,
}: {
  step: ReturnType<typeof useSecondFactorStep>;
  form: AppForm<Values, Output>;
}) {
  if (!isAsked) return null;
  return (
    <div className="grid gap-1">
      {isByPasskey ? (
        <p className="text-sm text-ink-soft">
          {t('Your device asks you to unlock your passkey next.')}
        </p>
      ) : (
        <FormField
          form={form}
          name={'code' as FieldPath<Values>}
          label={t('Code from your app')}
          hint={t('A recovery code will do too.')}
          required
        >
          {(field) => (
            <Input
              {...field}
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
            />
          )}
        </FormField>
      )}
      {hasPasskey && (
        <div>
          <button
            type="button"
            onClick={() => setByPasskey(!isByPasskey)}
            className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
          >
            {isByPasskey ? t('Enter a code instead') : t('Use a passkey instead')}
          </button>
        </div>
      )}
    </div>
  );
}

/** What goes with the password of somebody who has a second factor: one of the two. */
type SecondFactorProof = { code?: string; passkey?: SignedChallenge };

/** Returns the second factor of a form that asks the signed-in user for the password. */
export function useSecondFactorStep() {
  const { data } = useQuery(secondFactorQuery());
  // The server has said that it is missing.
  const [isRequired, setRequired] = useState(false);
  const [wantsPasskey, setByPasskey] = useState(false);
  const [isAble] = useState(canUsePasskeys);
  const isAsked = isRequired || (data?.app ?? null) !== null;
  /** Whether a passkey can stand for the code, here and of this account. */
  const hasPasskey = isAble && (data?.passkeys.length ?? 0) > 0;
  const isByPasskey = isAsked && hasPasskey && wantsPasskey;
  /**
   * Does something with the code, or with a passkey, which the browser asks for now.
   * @throws what `act` throws, and an `ApiError` with a sentence where the browser gave no passkey
   */
  async function confirm<T>(
    code: string | undefined,
    act: (proof: SecondFactorProof) => Promise<T>,
  ): Promise<T> {
    try {
      if (!isAsked) return await act({});
      return await act(isByPasskey ? { passkey: await signNow() } : { code: code ?? '' });
    } catch (error) {
      if (isCodeRequired(error)) setRequired(true);
      throw error;
    }
  }
  return { isAsked, hasPasskey, isByPasskey, setByPasskey, confirm };
}

/** Has a passkey sign. @throws ApiError, so that forms show the sentence */
const signNow = (): Promise<SignedChallenge> =>
  signWithPasskey().catch((error) => {
    if (error instanceof ApiError) throw error;
    throw new ApiError(errorMessage(error), { status: 400, code: 'NO_PASSKEY', cause: error });
  });
