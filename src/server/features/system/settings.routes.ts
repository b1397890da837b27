import type { LogHealth } from '../../../shared/contract/health.ts';
import { contract } from '../../../shared/contract/index.ts';
import { roomOf, type Directories } from './disks.service.ts';
import type { Implementer } from '../../http/implement.ts';
import { releaseWarning } from '../../db/postgres-release.ts';
import { selectVersion } from './maintenance.queries.ts';
import { selectUpkeep } from './upkeep.queries.ts';
import { selectSettings, updateSettings } from './settings.queries.ts';
import { versionConflict } from '../../refusal.ts';

const { settings, health } = contract;

/** `log` returns the state of the log archive. Absent: there is no archive. */
export function settingsRoutes(implement: Implementer, log?: () => LogHealth, directories: Directories = {}): void {
  implement.global(health.get, async ({ db }) => {
    const [check, backup, disks, version] = await Promise.all([
      selectUpkeep(db, 'check'),
      selectUpkeep(db, 'backup'),
      roomOf(directories),
      selectVersion(db),
    ]);
    return {
      data: { check, backup, log: log?.() ?? null, disks, database: { version, warning: releaseWarning(version) } },
    };
  });

  implement.global(settings.get, async ({ db }) => ({ data: await selectSettings(db) }));

  implement.global(settings.update, async ({ db, caller, log, body: { version, ...wanted } }) => {
    const before = await selectSettings(db, 'FOR UPDATE');
    if (version !== undefined && version !== before.version) {
      throw versionConflict('page of settings', before);
    }
    const after = { isDirectoryOn: before.isDirectoryOn, ...wanted };
    if (after.copiesPerDay === before.copiesPerDay && after.isDirectoryOn === before.isDirectoryOn)
      return { data: before };
    // Settings belong to no business, so the log records the change instead of a history.
    const valuesOf = ({ copiesPerDay, isDirectoryOn }: typeof after) => ({ copiesPerDay, isDirectoryOn });
    log.info({ actor: caller.accountId, before: valuesOf(before), after: valuesOf(after) }, 'settings changed');
    return { data: await updateSettings(db, after) };
  });
}
