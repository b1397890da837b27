import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { joinAndSignIn, readLink } from '../../http/login.ts';
import { hashToken, newToken } from '../../http/tokens.ts';
import { selectSecondStep } from '../session/second-steps.queries.ts';
import { demandOfSeats } from '../session/second-steps.service.ts';
import { subadminAnswer } from '../session/session.routes.ts';
import { selectPeople, selectPeopleNames, updateOwnName, updateViewAs } from './people.queries.ts';
import {
  changePerson,
  endSessionsOf,
  invitePerson,
  renewLink,
  resetSecondStepOf,
  startViewAs,
} from './people.service.ts';

const { people } = contract;

export function peopleRoutes(implement: Implementer): void {
  implement.global(people.list, async ({ db, caller }) => ({
    data: await selectPeople(db, caller.businessId),
    meta: { demandsSecondStep: (await selectSecondStep(db, caller.businessId)).isDemanded },
  }));

  implement.global(people.listNames, async ({ db, caller }) => ({
    data: await selectPeopleNames(db, caller.businessId),
  }));

  implement.global(people.invite, async ({ db, caller, body }) => {
    const linkToken = newToken();
    return { data: await invitePerson(db, caller, body, hashToken(linkToken)), linkToken };
  });

  implement.global(people.update, async ({ db, caller, params, body }) => ({
    data: await changePerson(db, caller, params.id, body),
  }));

  implement.global(people.newLink, async ({ db, caller, params }) => {
    const linkToken = newToken();
    return { data: await renewLink(db, caller, params.id, hashToken(linkToken)), linkToken };
  });

  implement.global(people.endSessions, async ({ db, caller, params }) => {
    await endSessionsOf(db, caller, params.id);
    return { message: 'Signed out everywhere' };
  });

  implement.global(people.resetSecondStep, async ({ db, caller, params }) => {
    await resetSecondStepOf(db, caller, params.id);
    return { message: 'Second step reset' };
  });

  implement.global(people.demandSecondStep, async ({ db, caller, body }) => {
    await demandOfSeats(db, caller, body.isDemanded);
    return { message: body.isDemanded ? 'A second step is demanded' : 'A second step is no longer demanded' };
  });

  implement.global(people.setOwnName, async ({ db, caller, body }) => {
    await updateOwnName(db, caller.accountId, body.name);
    return { message: 'Name saved' };
  });

  implement.global(people.viewAs, async ({ db, caller, body }) => ({
    message: 'Looking as another seat',
    data: { until: await startViewAs(db, caller, body.seat) },
  }));

  implement.global(people.endViewAs, async ({ db, caller }) => {
    await updateViewAs(db, caller.sessionId, null, 0);
    return { message: 'You are yourself again' };
  });

  implement.withoutSession(people.readLink, async ({ body, client, pool }) => {
    const {
      email,
      seat,
      person_name: name,
      banner_name: business,
      is_new: isNew,
    } = await readLink(pool, body.token, client);
    return { data: { business, email, name, seat, isNew } };
  });

  implement.withoutSession(people.join, async ({ body, client, pool, log }) =>
    subadminAnswer(await joinAndSignIn(pool, body, client, log)),
  );
}
