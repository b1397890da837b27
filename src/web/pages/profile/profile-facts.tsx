import { formatDateTime } from '../../../shared/calc/dates.ts';
import { activeStatus } from '../../../shared/columns/define.ts';
import type { Profile } from '../../../shared/contract/profile.ts';
import { orNotProvided, type FactGroup } from '../../records/facts.tsx';

/** docs/specification.md §12.1; the form's fields carry the same names. */
export const profileLabels = {
  email: 'Email Address',
  bannerName: 'Company/Banner Name',
  gstNo: 'GST Number',
  contactNumber: 'Contact Number',
  officeAddress: 'Office Address',
};

export const businessFacts = (profile: Profile): FactGroup => ({
  title: 'Profile Information',
  facts: [
    { label: profileLabels.email, value: profile.email },
    { label: profileLabels.bannerName, value: orNotProvided(profile.bannerName) },
    { label: profileLabels.gstNo, value: orNotProvided(profile.gstNo) },
    { label: profileLabels.contactNumber, value: orNotProvided(profile.contactNumber) },
    { label: profileLabels.officeAddress, value: orNotProvided(profile.officeAddress) },
  ],
});

export const accountFacts = (profile: Profile): FactGroup => ({
  title: 'Account Status',
  facts: [
    { label: 'Status', value: activeStatus(profile.isActive).label },
    { label: 'Created', value: formatDateTime(profile.createdAt) },
    { label: 'Last Updated', value: formatDateTime(profile.updatedAt) },
  ],
});
