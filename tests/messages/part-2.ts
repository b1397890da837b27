import { message, testsIn, type PartTable } from './table.ts';

/**
 * Every quoted text of part 2, sections 2, 4, 5, 8 and 9. Section 8 has 58 quotes: 'Failed to generate CSV report' stands
 * there twice.
 */

const list = testsIn('tests/web/challan-list-filters.test.tsx');
const toggles = testsIn('tests/web/challan-list-toggles.test.tsx');
const rows = testsIn('tests/web/challan-list-rows.test.tsx');
const form = testsIn('tests/web/challan-form-messages-2.test.tsx');
const formRules = testsIn('tests/web/challan-form-create.test.tsx');
const formEdit = testsIn('tests/web/challan-form-edit.test.tsx');
const formMemory = testsIn('tests/web/challan-form-memory.test.tsx');
const formLookup = testsIn('tests/web/challan-form-lookup.test.tsx');
const screens = testsIn('tests/web/screens-messages-2.test.tsx');
const accounting = testsIn('tests/web/accounting.test.tsx');
const ownerChallans = testsIn('tests/web/owner-challans.test.tsx');
const reports = testsIn('tests/web/owner-challans-reports.test.tsx');
const statement = testsIn('tests/web/bank-statement-view.test.tsx');
const payment = testsIn('tests/web/bank-statement-payment.test.tsx');
const batches = testsIn('tests/web/payment-batches.test.tsx');
const hsdUpload = testsIn('tests/web/hsd-upload.test.tsx');
const hsdResults = testsIn('tests/web/hsd-results.test.tsx');
const profile = testsIn('tests/web/profile.test.tsx');
const password = testsIn('tests/web/profile-password.test.tsx');
const pumps = testsIn('tests/web/petrol-pumps.test.tsx');
const partOne = testsIn('tests/web/part-1-messages.test.tsx');
const client = testsIn('tests/web/api/client.test.ts');
const accountingFlow = testsIn('tests/e2e/accounting.test.ts');
const mainJob = testsIn('tests/e2e/main-job.test.ts');
const onServer = testsIn('tests/server/rules-messages-2.test.ts');
const payingByFilter = testsIn('tests/server/payments-by-filter.test.ts');
const verifying = testsIn('tests/server/hsd-verify.test.ts');

const leftEmpty = '%s: %s';
const refused = '%s = %j is refused';
const onBlur = 'each rule is said when its field is left';
const hsdToggle = 'HSD is verified only with a petrol pump: Space on the other box says why and sends nothing';
const badAddress = '%s: %s, and back to accounting';
const stepButtons = 'the two steps have their buttons';
const statementButtons = 'the buttons of the bank statement carry their counts, its challans are Pending';
const twoSteps = 'two steps: the focus is on the CSV, then on No; Enter never pays, Ctrl+Enter does';
const fetching = 'by its button, by C on the row and by C in the details, to the challans of the owner';
const searching = 'from two characters after trimming, the newest typing wins; not paged, with its count';
const exportFails = 'failures: what the server says, else the default; and a file that cannot be saved';
const sendFails = '%s: the tab is closed and the failure told';
const dropZone = 'opens on Upload File with the drop zone in hand; the other tabs say why they are closed';
const columnsNeeded = "Accepts .csv, .xlsx, .xls, max 10MB, needing 'TP No' and 'Amount' columns";
const hsdWithout = 'without any, each kind says so; the button has its guard';
const hsdDefaults = 'a refusal without words has the default of the call, what fails on this side that of the screen';
const verifyFails =
  'a verification that fails: the default of the call, and that of the screen for an answer that is none';
const listReset = 'every filter goes to the server and into the address; Reset takes all of them away and says so';
const ownerReset =
  'each goes to the server and into the address, and the cards follow; Reset takes all away and says so';
const failedNavigation = "says where it began that the owner's screen did not load";
const notCleared = 'that cannot be cleared says so, and leaves it to the hand';
const saved = 'N creates, with the values trimmed';
const deleteAsks = 'Delete asks with the stated words';

/** A rule of §5 that the form says beside the field and the server repeats. */
const bothSides = (text: string) => message(text, form(leftEmpty), onServer(refused));

const filtersReset = message('Filters reset successfully', list(listReset), ownerChallans(ownerReset));
const paymentDone = message('Payment Done', form('is called Create Challans, with Payment Done to tick'));
const tpNo = message('TP No', hsdUpload(dropZone, columnsNeeded));
const amount = message('Amount', hsdUpload(dropZone, columnsNeeded));
const detailsLoaded = {
  text: 'Owner and vehicle details loaded: {name}',
  gaps: ['{name}'],
  tests: [form('tells whose vehicle it is', 'Owner and vehicle details loaded: Ravi Roadlines')],
};
const created = {
  text: 'Challan created successfully! Challan Number: {number or N/A}',
  gaps: ['{number or N/A}'],
  tests: [
    form('says the number of the challan', 'Challan created successfully! Challan Number: CH-2627-000077'),
    form('says N/A where there is no number', 'Challan created successfully! Challan Number: N/A'),
  ],
};
const updated = message(
  'Challan updated successfully',
  formEdit('changing only Remarks sends only Remarks, with the version, and goes to the list'),
);
const deleted = message(
  'Challan deleted successfully',
  rows('Delete asks, with the safe button in hand; only a yes deletes, and the focus goes to the neighbour'),
);
const clearedNew = message(
  'Form cleared. Ready for new challan!',
  formMemory('clears, says so, and gives everything back for ten seconds but what was typed since'),
);
const clearedEdit = message('Form cleared successfully', formMemory('on edit it goes back to what is stored'));
const clearingFailed = message('Error clearing form, but you can manually clear it.', form(notCleared));
const navigationFailed = message('Failed to navigate to owner challans', accountingFlow(failedNavigation));
const invalidOwnerId = message('Invalid owner ID format', ownerChallans(badAddress), onServer('%s: %s'));
const ownerIdRequired = message('Owner ID is required', ownerChallans(badAddress), onServer('%s: %s'));
const ownerMissing = message(
  'Please select an owner before submitting',
  formRules('without an owner of the list: the sentence of the specification'),
  onServer(refused),
);

export const part2: PartTable = {
  '§2': {
    stated: 41,
    messages: [
      filtersReset,
      message('Pending', list('opens on the newest ten, and the totals are of the whole filter, not of the page')),
      message('Payment status marked as done', toggles('a challan that is marked again is not counted as another one')),
      message('Payment status unmarked', toggles('unmarking goes at once and can be undone')),
      message('HSD verification enabled successfully', toggles(hsdToggle)),
      message('HSD verification disabled successfully', toggles(hsdToggle)),
      deleted,
      message('Create Challans', form('is called Create Challans, with Payment Done to tick')),
      message('Edit Challan', form('is called Edit Challan with a challan')),
      paymentDone,
      detailsLoaded,
      created,
      updated,
      clearedNew,
      clearedEdit,
      clearingFailed,
      message('Accounting Management', screens('each owner of accounting has Fetch Challans')),
      {
        text: 'Authentication Required / Please log in to access accounting management.',
        sentences: ['Authentication Required', 'Please log in to access accounting management.'],
        tests: [accounting('without a session it says so and loads nothing')],
      },
      message('Not provided', accounting("title, columns, 'Not provided', trucks and 'a-b of N owners'")),
      message('Fetch Challans', screens('each owner of accounting has Fetch Challans')),
      message('Owner Details', accounting('the six fields; closing comes back to the row')),
      {
        text: 'Found N owner(s) matching ...',
        sentences: ['Found N owner(s) matching "..."'],
        gaps: ['N', '...'],
        tests: [accounting(searching, 'Found 1 owner(s) matching "rav"')],
      },
      {
        text: 'No owners found matching ...',
        sentences: ['No owners found matching "..."'],
        gaps: ['...'],
        tests: [accounting(searching, 'No owners found matching "ravx"')],
      },
      {
        // The noun is what each list calls its rows.
        text: 'a-b of N owners',
        gaps: ['a', 'b', 'N', ' owners'],
        tests: [accounting("title, columns, 'Not provided', trucks and 'a-b of N owners'", '1-10 of 15 owners')],
      },
      navigationFailed,
      invalidOwnerId,
      ownerIdRequired,
      message('Challan for', accounting(fetching, 'Challan for Owner 02')),
      {
        text: '...',
        sentences: ['<name>...'],
        gaps: ['<name>'],
        tests: [
          accountingFlow(
            'finds an owner, fetches the challans, filters, looks at one, and downloads what the cards say',
            'Challan for Bikash Mohan...',
          ),
        ],
      },
      message('Not deposited', ownerChallans("a challan without a deposited date says 'Not deposited'")),
      {
        text: 'Challan Details - {number}',
        gaps: ['{number}'],
        tests: [
          ownerChallans(
            'all fields; remarks and the deposited date only where there are any; Escape comes back to the row',
            'Challan Details - CH-2627-000002',
          ),
        ],
      },
      message(
        'Bank Statement - Owner Expandable View',
        statement(
          'an owner shows name, contact, account, unpaid count and amount; its challans all that the statement names',
        ),
        mainJob('goes from the sign-in over challans to the bytes of the payment file'),
      ),
      { text: 'Select Page (n)', gaps: ['n'], tests: [screens(statementButtons, 'Select Page (10)')] },
      { text: 'Select All Matching (n)', gaps: ['n'], tests: [screens(statementButtons, 'Select All Matching (10)')] },
      {
        // With its count and amount (ruling 36).
        text: 'Mark All Matching as Paid',
        sentences: ['Mark All Matching as Paid (n)'],
        gaps: ['n'],
        tests: [screens(statementButtons, 'Mark All Matching as Paid (10 · ₹5,505.00)')],
      },
      tpNo,
      amount,
      message('No TP numbers were missing from the database.', hsdResults(hsdWithout)),
      message(
        'Start New Verification',
        hsdResults('Start New Verification asks while matches are open, and begins anew'),
      ),
      message('My Profile', profile('shows the profile and the status of the account')),
      {
        text: 'Profile Not Found / Unable to load your profile information.',
        sentences: ['Profile Not Found', 'Unable to load your profile information.'],
        tests: [profile('an account without a profile says so, and Retry asks again')],
      },
    ],
  },
  '§4': {
    stated: 7,
    messages: [
      paymentDone,
      message('Pending', screens(statementButtons)),
      {
        text: 'Select Page',
        sentences: ['Select Page (n)'],
        gaps: ['n'],
        tests: [screens(statementButtons, 'Select Page (10)')],
      },
      {
        text: 'Select All Matching',
        sentences: ['Select All Matching (n)'],
        gaps: ['n'],
        tests: [screens(statementButtons, 'Select All Matching (10)')],
      },
      message('Continue to Payment', screens(stepButtons)),
      message(
        'No, Cancel',
        screens('where nothing is left of what was to be paid, the dialog says so and does not go on'),
      ),
      message('Yes, Mark Selected as Paid', screens(stepButtons)),
    ],
  },
  '§5': {
    stated: 43,
    messages: [
      bothSides('Please enter TP No'),
      bothSides('Please select loading date'),
      bothSides('Please select unloading date'),
      bothSides('Please enter vehicle no'),
      bothSides('Please enter material'),
      bothSides('Please enter owner name'),
      bothSides('Please enter owner contact number'),
      bothSides('Please select a tag'),
      bothSides('Please enter loading place'),
      bothSides('Please enter unloading place'),
      bothSides('Please enter loading weight'),
      bothSides('Please enter unloading weight'),
      bothSides('Please enter rate per MT'),
      bothSides('Please enter TDS percentage'),
      // Worked out by the form, so that only another client can leave it empty.
      message(
        'Please enter TDS amount',
        onServer(refused),
        form('a refused TDS amount stands at the percentage that mends it'),
      ),
      bothSides('Please enter advance money'),
      bothSides('Please enter office charges'),
      bothSides('Please select the deposited date!'),
      message(
        'Please enter HSD in liters',
        form('HSD in Liters, once a petrol pump is chosen'),
        formLookup('liters wait for a pump, and clearing the pump sets them to 0'),
      ),
      message(
        'Material shortage amount is required',
        formEdit('changed weights ask for the material rate, which is not stored; the shortage is then sent'),
        onServer(refused),
      ),
      message(
        'Material shortage amount must be a positive number or zero',
        onServer(refused),
        form('a refused material shortage stands at the rate that mends it'),
      ),
      message(
        'TDS percentage must be greater than 0',
        formRules('a TDS percentage of %s is refused'),
        onServer(refused),
      ),
      message('TDS percentage cannot exceed 100%', formRules('a TDS percentage of %s is refused'), onServer(refused)),
      message(
        'Loading date cannot be after unloading date',
        formRules('dates judge each other, by day'),
        onServer(refused),
      ),
      message(
        'Unloading date cannot be before loading date',
        formRules('dates judge each other, by day'),
        onServer(refused),
      ),
      message(
        'Deposited date cannot be before unloading date',
        formRules('dates judge each other, by day'),
        onServer(refused),
      ),
      ownerMissing,
      message('Company name is required', profile(onBlur)),
      message('Company name must be at least 2 characters', profile(onBlur)),
      message('GST number is required', profile(onBlur)),
      message('GST number must be exactly 15 characters', profile(onBlur)),
      message('Please enter a valid GST number', profile(onBlur)),
      message('Contact number is required', profile(onBlur)),
      message('Please enter a valid Indian mobile number', profile(onBlur)),
      message('Office address is required', profile(onBlur)),
      message('Address must be at least 10 characters', profile(onBlur)),
      message('Current password is required', password(onBlur)),
      message('New password is required', password(onBlur)),
      message('Password must be at least 6 characters', password(onBlur)),
      message('Please confirm your new password', password(onBlur)),
      message('Passwords do not match', password(onBlur)),
      tpNo,
      amount,
    ],
  },
  '§8': {
    stated: 57,
    messages: [
      {
        text: 'error: message',
        gaps: ['error', 'message'],
        tests: [
          partOne('both texts of a refusal are told as one', 'Owner: is locked'),
          client('the error text of %j is %j', 'Owner: is in use'),
        ],
      },
      message('An error occurred', client('without a screen default the last resort is "An error occurred"')),
      message(
        'Failed to fetch challans',
        screens('challans that cannot be listed: the default, in the place of the rows and in the toast'),
        ownerChallans('a failure is told, with Retry; the cards have no figures then'),
        form('of a challan that cannot be read has the default and Retry'),
      ),
      message(
        'Failed to create challan',
        form('a create that fails without a sentence: the default, above the form and in the toast'),
      ),
      message(
        'Failed to update challan',
        form('an update that fails without a sentence: the default, and what was typed stays'),
      ),
      message(
        'Failed to delete challan',
        rows('a paid challan is refused with the sentence of the ruling, and nothing is sent'),
      ),
      message('Failed to toggle HSD verification', toggles(hsdToggle)),
      message(
        'Failed to update payment status',
        toggles('a refused toggle is taken back, with its own message, and the sums with it'),
        screens('a payment that fails without a sentence has its default, in the dialog and in the toast'),
      ),
      message('Challan not found', form('of a challan that is gone says so, with the way back')),
      message(
        'Failed to fetch bank statement',
        statement('a load that fails shows its message with Retry, which loads it'),
      ),
      message(
        'Failed to download CSV',
        statement('a CSV that fails, and one that cannot be saved'),
        reports(exportFails),
        batches('the file of a payment is saved again, from the list and from the details'),
      ),
      message(
        'Failed to download CSV file',
        statement('a CSV that fails, and one that cannot be saved'),
        reports(exportFails),
        payment('the file that cannot be saved is said, the payment stands'),
      ),
      message(
        'Failed to export CSV. Please try again.',
        rows('a failed export says what the server said, else its own sentence'),
      ),
      message('Failed to save petrol pump', pumps(saved)),
      message('Failed to delete petrol pump', pumps(deleteAsks)),
      message('Failed to upload HSD verification file', hsdUpload(hsdDefaults)),
      message('Failed to upload file', hsdUpload(hsdDefaults)),
      message('Failed to perform bulk HSD verification', screens(verifyFails)),
      message('Failed to perform bulk verification', screens(verifyFails)),
      message('Failed to fetch profile', partOne('a profile that cannot be loaded says so')),
      message(
        'Failed to update profile',
        profile('a refused save keeps the form, with the sentence of the server or of the catalogue'),
      ),
      message('Failed to change password', password('too many guesses and a speechless server are said in the dialog')),
      message('Failed to search owners', accounting('failures are told, with Retry')),
      navigationFailed,
      clearingFailed,
      ownerMissing,
      message('No valid matches to verify', hsdResults(hsdWithout), verifying('refuses %s')),
      message(
        'No data available for CSV generation',
        statement('nobody is owed anything'),
        rows('with nothing to export the button says so'),
      ),
      message(
        'No challans selected for payment',
        screens('where nothing is left of what was to be paid, the dialog says so and does not go on'),
      ),
      message(
        'Please select at least one challan to mark as paid',
        payment('nothing selected: the button says what to do first, and no dialog opens'),
      ),
      message(
        'No unpaid challans found matching current filters',
        screens('without an unpaid challan Mark All Matching is blocked, says why and sends nothing'),
        payingByFilter('says so when nothing matches'),
      ),
      ownerIdRequired,
      invalidOwnerId,
      message('No challans found for the specified criteria', reports(sendFails)),
      message('Invalid request data', reports(sendFails)),
      message('Failed to generate CSV report', reports(sendFails)),
      message('Failed to generate CSV report. Please try again.', reports(sendFails)),
      updated,
      created,
      deleted,
      filtersReset,
      message(
        'CSV export completed successfully!',
        rows('Ctrl+E exports every match of the filter, and saves the bytes as they came'),
      ),
      message(
        'CSV file downloaded successfully',
        statement('the CSV carries the filters, is named by the server, and says so'),
      ),
      clearedNew,
      clearedEdit,
      detailsLoaded,
      message('Petrol pump created successfully!', pumps(saved)),
      message('Petrol pump updated successfully!', pumps('E edits, and with nothing changed says so')),
      message('Petrol pump deleted successfully!', pumps(deleteAsks)),
      message(
        'File uploaded and processed successfully!',
        hsdUpload('Enter on the drop zone opens the file box; the chosen file goes to the server in the field "file"'),
      ),
      message(
        'Bulk verification completed successfully!',
        hsdResults(
          'ten rows a page; the selection survives pages and tabs; the button says what it does and does just that',
        ),
      ),
      message(
        'Profile updated successfully',
        profile('E edits, Ctrl+Enter sends what was changed, and the name is new everywhere at once'),
      ),
      message(
        'Password changed successfully',
        password('the keyboard alone changes it; the other sessions leave the list and the focus comes back'),
      ),
      message(
        'CSV download initiated successfully',
        reports('sends the filters and the order, saves under the name of the answer, and says so'),
      ),
      {
        text: 'CSV report sent to {name} ({n} challans)',
        gaps: ['{name}', '{n}'],
        tests: [
          reports(
            'the tab is there with the click, cut off from this one, and then given its address',
            'CSV report sent to Ravi Kumar (3 challans)',
          ),
        ],
      },
      {
        text: 'Successfully marked N challans as paid',
        gaps: ['N'],
        tests: [
          payment(twoSteps, 'Successfully marked 2 challans as paid'),
          payment(
            'all matching with exclusions goes by the filter, with what the user saw',
            'Successfully marked 8 challans as paid, 2 excluded',
          ),
          payment(
            'Mark All Matching goes at once, with what its label says, and can be undone',
            'Successfully marked 10 challans as paid',
          ),
        ],
      },
      message('Payment summary CSV downloaded automatically', payment(twoSteps)),
    ],
  },
  '§9': {
    stated: 11,
    messages: [
      message('Please enter petrol pump name', pumps(onBlur)),
      message('Name must be at least 2 characters', pumps(onBlur)),
      message('Name must not exceed 100 characters', pumps(onBlur)),
      message('Please enter contact number', pumps(onBlur)),
      message('Please enter a valid 10-digit contact number', pumps(onBlur)),
      message('Please enter address', pumps(onBlur)),
      message('Address must be at least 5 characters', pumps(onBlur)),
      message('Address must not exceed 500 characters', pumps(onBlur)),
      message(
        'Are you sure you want to delete this petrol pump? This action cannot be undone.',
        pumps(
          deleteAsks,
          'Delete petrol pump "Pump 02"? Are you sure you want to delete this petrol pump? This action cannot be undone.',
        ),
      ),
      message('Add New Petrol Pump', pumps(onBlur)),
      message('Edit Petrol Pump', pumps('E edits, and with nothing changed says so')),
    ],
  },
};
