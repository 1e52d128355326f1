/** The name of the answers that are not confirmed yet in localStorage. */
export const KEPT_ANSWERS_KEY = 'kept-answers';
