/** SQL: how an account that did something is named inside its business: by the person's name, else by the email. */
export const actorName = (account: string): string => `coalesce(nullif(${account}.person_name, ''), ${account}.email)`;
