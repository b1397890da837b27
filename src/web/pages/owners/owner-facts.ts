import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { Owner } from '../../../shared/contract/owners.ts';
import { orNotProvided, type FactGroup } from '../../shell/facts.tsx';

/** An owner's fields in the two groups of its form, and when it came (part 1 §2, view). */
export const ownerFacts = (owner: Owner, trucksCount: number): FactGroup[] => [
  {
    title: 'Basic Information',
    facts: [
      { label: 'Owner Name', value: owner.name },
      { label: 'Contact Number', value: owner.contactNumber },
      { label: 'Address', value: orNotProvided(owner.address) },
      { label: 'Trucks', value: trucksCount.toLocaleString('en-IN') },
      { label: 'Created', value: formatDateTime(owner.createdAt) },
      { label: 'Updated', value: formatDateTime(owner.updatedAt) },
    ],
  },
  {
    title: 'Banking Information',
    facts: [
      { label: 'Account Number', value: owner.accountNo },
      { label: 'IFSC Code', value: orNotProvided(owner.ifsc) },
      { label: 'PAN Number', value: owner.panNo },
      { label: 'Branch Name', value: owner.branchName },
    ],
  },
];
