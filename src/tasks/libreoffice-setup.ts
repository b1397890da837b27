import { installDebianPackage } from './debian.ts';
import { findLibreOffice, libreOfficeMissing } from './libreoffice.ts';
import { say } from './run.ts';

// Without it the tests that use it fail with the reason; the others still run.
if (findLibreOffice() === undefined) await installDebianPackage('libreoffice-calc-nogui', '--no-install-recommends');
say(`LibreOffice: ${findLibreOffice() ?? libreOfficeMissing}`);
