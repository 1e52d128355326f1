import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { SignedChallenge } from '#contract/people/auth/confirmation';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import { call } from '../../platform/api/api.ts';
import { ApiError, errorMessage } from '../../platform/api/api-error.ts';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { isCodeRequired } from './commands.ts';
import { canUsePasskeys, signWithPasskey } from './passkey.ts';
import { secondFactorQuery } from './security/queries.ts';

/** Asks for the second factor below the password, of an account that has one: a code, or a passkey in its place. */
export function SecondFactorField({
  step: { isAsked, hasPasskey, isByPasskey, setByPasskey },
  field,
  error,
}: {
  step: SecondFactorStep;
  /** Of the form's `code`. */
  field: UseFormRegisterReturn;
  error: string | undefined;
}) {
  if (!isAsked) return null;
  return (
    <div className="grid gap-1">
      {isByPasskey ? (
        <p className="text-sm text-ink-soft">Your device asks you to unlock your passkey next.</p>
      ) : (
        <Field
          label="Code from your app"
          hint="A recovery code will do too."
          error={error}
          required
        >
          <Input
            {...field}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Field>
      )}
      {hasPasskey && (
        <div>
          <button
            type="button"
            onClick={() => setByPasskey(!isByPasskey)}
            className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
          >
            {isByPasskey ? 'Enter a code instead' : 'Use a passkey instead'}
          </button>
        </div>
      )}
    </div>
  );
}

/** What goes with the password of somebody who has a second factor: one of the two. */
interface SecondFactorProof {
  code?: string;
  passkey?: SignedChallenge;
}

/** The second factor of a form that asks for the password of whoever is signed in. */
interface SecondFactorStep {
  /** Whether the account asks for one. */
  isAsked: boolean;
  /** Whether a passkey can stand for the code, here and of this account. */
  hasPasskey: boolean;
  isByPasskey: boolean;
  setByPasskey: (isByPasskey: boolean) => void;
  /**
   * Does something with the code, or with a passkey, which the browser asks for now.
   * @throws what `act` throws, and an `ApiError` with a sentence where the browser gave no passkey
   */
  confirm: <T>(
    code: string | undefined,
    act: (proof: SecondFactorProof) => Promise<T>,
  ) => Promise<T>;
}

/** Returns the second factor of a form; it is asked for too once the server has said that it is missing. */
export function useSecondFactorStep(): SecondFactorStep {
  const { data } = useQuery(secondFactorQuery());
  const [isRequired, setRequired] = useState(false);
  const [wantsPasskey, setByPasskey] = useState(false);
  const [isAble] = useState(canUsePasskeys);
  const isAsked = isRequired || (data?.app ?? null) !== null;
  const hasPasskey = isAble && (data?.passkeys.length ?? 0) > 0;
  const isByPasskey = isAsked && hasPasskey && wantsPasskey;
  return {
    isAsked,
    hasPasskey,
    isByPasskey,
    setByPasskey,
    confirm: async (code, act) => {
      try {
        if (!isAsked) return await act({});
        return await act(isByPasskey ? { passkey: await signNow() } : { code: code ?? '' });
      } catch (error) {
        if (isCodeRequired(error)) setRequired(true);
        throw error;
      }
    },
  };
}

/** Has a passkey sign. @throws ApiError, so that forms show the sentence */
async function signNow(): Promise<SignedChallenge> {
  const begun = await call(secondFactorApi.beginPasskeySignIn, { anonymous: true });
  try {
    return await signWithPasskey(begun.data);
  } catch (error) {
    throw new ApiError(errorMessage(error), { status: 400, code: 'NO_PASSKEY', cause: error });
  }
}
