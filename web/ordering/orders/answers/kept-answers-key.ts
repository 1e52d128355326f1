/** The name under which a person's answers are kept that are not confirmed yet. */
export const KEPT_ANSWERS_KEY = 'kept-answers';
