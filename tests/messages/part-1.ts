import { message, testsIn, type Message, type PartTable } from './table.ts';

/** Every quoted text of part 1, sections 2, 4, 5 and 8. */

const app = testsIn('tests/web/shell/app.test.tsx');
const client = testsIn('tests/web/api/client.test.ts');
const owners = testsIn('tests/web/owners.test.tsx');
const copy = testsIn('tests/web/copy-owners.test.tsx');
const trucks = testsIn('tests/web/trucks.test.tsx');
const tags = testsIn('tests/web/tags.test.tsx');
const pumps = testsIn('tests/web/petrol-pumps.test.tsx');
const subadmins = testsIn('tests/web/subadmins.test.tsx');
const accounts = testsIn('tests/web/subadmins-form.test.tsx');
const own = testsIn('tests/web/part-1-messages.test.tsx');
const sessions = testsIn('tests/e2e/session.test.ts');
const accountsOnServer = testsIn('tests/server/subadmins.test.ts');
const references = testsIn('tests/server/references.test.ts');

const onBlur = 'each rule is said when its field is left';
const newAccountOnBlur = 'each rule of a new one is said when its field is left';
const editOnBlur =
  'each rule of an edit is said when its field is left: another contact rule, and the password may be blank';
const loginOnBlur = '%s checks its fields when they lose the focus';
const loginDefault = '%s says its own default where the server says nothing';
const loginFailed: Message = message('Login Failed', own(loginDefault));

export const part1: PartTable = {
  '§2': {
    stated: 17,
    messages: [
      message('Regular Login', app('the admin signs in at /adminlogin, which links to the regular login')),
      message('Unauthorized Access', app('/unauthorized has its two sentences')),
      message("You don't have permission to access this page.", app('/unauthorized has its two sentences')),
      loginFailed,
      message('Welcome back, Admin!', app('the admin has no Profile entry')),
      {
        text: 'Welcome back, <banner name>!',
        gaps: ['<banner name>'],
        tests: [
          sessions(
            'names the business in the title and in the greeting',
            "Welcome back, Shree Balaji <Carriers> & Son's!",
          ),
          app('the sidebar is 250 wide, 80 when collapsed, and remembered', 'Welcome back, Maa Tarini!'),
        ],
      },
      message('Error Loading Tag Analytics', own('tag analytics that cannot be loaded say so on the dashboard')),
      message(
        'Are you sure you want to delete this subadmin?',
        subadmins(
          'Delete asks with the stated words, and says what becomes of the account',
          'Delete subadmin "Carriers 002"? Are you sure you want to delete this subadmin?',
        ),
      ),
      message('Add New Subadmin', accounts(newAccountOnBlur)),
      message('Not provided', owners('shows name, contact, address or "Not provided", trucks and their total')),
      {
        text: 'Authentication Required / Please log in to access owner management.',
        sentences: ['Authentication Required', 'Please log in to access owner management.'],
        tests: [owners('without a session it asks to log in and loads nothing')],
      },
      {
        text: 'Copy Selected Owners (n)',
        gaps: ['n'],
        tests: [own('the button counts the owners that are to be copied', 'Copy Selected Owners (3)')],
      },
      message('Unknown', trucks('shows number, owner or "Unknown", wheels and type')),
      message('Add Petrol Pump', own('the petrol pumps offer to add one')),
      message(
        'Are you sure you want to delete this petrol pump? This action cannot be undone.',
        pumps(
          'Delete asks with the stated words',
          'Delete petrol pump "Pump 02"? Are you sure you want to delete this petrol pump? This action cannot be undone.',
        ),
      ),
      message('Add New Petrol Pump', pumps(onBlur)),
      message('Edit Petrol Pump', pumps('E edits, and with nothing changed says so')),
    ],
  },
  '§4': {
    stated: 4,
    messages: [
      message(
        'Subadmin activated successfully',
        subadmins('Space on the switch deactivates and activates, once at a time'),
      ),
      message(
        'Subadmin deactivated successfully',
        subadmins('Space on the switch deactivates and activates, once at a time'),
      ),
      message('No changes detected', accounts('an edit with nothing changed says so and closes')),
      message('Error', own('a sub-admin that was not created: the alert of the modal is called Error')),
    ],
  },
  '§5': {
    stated: 23,
    messages: [
      message('Please enter your email', app(loginOnBlur), accounts(newAccountOnBlur), accounts(editOnBlur)),
      message('Please enter your admin email', app(loginOnBlur)),
      message('Please enter a valid email', app(loginOnBlur), accounts(newAccountOnBlur), accounts(editOnBlur)),
      message('Please enter your password', app(loginOnBlur), accounts(newAccountOnBlur)),
      message('Please enter your admin password', app(loginOnBlur)),
      message('Invalid response - missing token', app('%s: an answer without a token says so')),
      message(
        'Password must be at least 6 characters',
        accounts(newAccountOnBlur),
        accounts(editOnBlur),
        accountsOnServer('refuses %s = %j and makes no account'),
      ),
      message(
        'Please enter valid 10 digit contact number',
        accounts(newAccountOnBlur),
        accountsOnServer('refuses %s = %j and makes no account'),
      ),
      message('Please enter a valid contact number', accounts(editOnBlur)),
      message('Address cannot exceed 500 characters', owners(onBlur)),
      message('IFSC code should be 11 characters', owners(onBlur)),
      message('Please enter valid PAN number (e.g., ABCDE1234F)', owners(onBlur)),
      message('Please select an owner', trucks(onBlur)),
      message('Tag name must be at least 2 characters', tags(onBlur)),
      message('Tag name must be less than 50 characters', tags(onBlur)),
      message('Please enter petrol pump name', pumps(onBlur)),
      message('Name must be at least 2 characters', pumps(onBlur)),
      message('Name must not exceed 100 characters', pumps(onBlur)),
      message('Please enter contact number', pumps(onBlur), owners(onBlur)),
      message('Please enter a valid 10-digit contact number', pumps(onBlur), owners(onBlur)),
      message('Please enter address', pumps(onBlur)),
      message('Address must be at least 5 characters', pumps(onBlur)),
      message('Address must not exceed 500 characters', pumps(onBlur)),
    ],
  },
  '§8': {
    stated: 53,
    messages: [
      {
        text: 'error: message',
        gaps: ['error', 'message'],
        tests: [
          own('both texts of a refusal are told as one', 'Owner: is locked'),
          client('the error text of %j is %j', 'Owner: is in use'),
        ],
      },
      message(
        'Network Error',
        own('without a network the toast is the transport’s text, not the default'),
        client('no network: Network Error; no answer in time: the timeout text'),
      ),
      {
        text: 'timeout of N ms exceeded',
        gaps: ['N'],
        tests: [
          own(
            'an answer that does not come is given up after 30 seconds, in the words of the transport',
            'timeout of 30000 ms exceeded',
          ),
        ],
      },
      message('An error occurred', client('without a screen default the last resort is "An error occurred"')),
      message('Failed to fetch subadmins', subadmins('a failed list says so, with Retry')),
      message(
        'Failed to create subadmin',
        own('a sub-admin that was not created: the alert of the modal is called Error'),
      ),
      message(
        'Failed to delete subadmin',
        subadmins('Delete asks with the stated words, and says what becomes of the account'),
      ),
      message('Failed to update subadmin status', subadmins('a switch that fails goes back and says why')),
      message('Failed to edit subadmin', accounts('an edit sends only what was changed; a blank password is not sent')),
      message(
        'Subadmin not found',
        accounts('one that is gone says so'),
        subadmins('a link to one that is no more says so'),
        accountsOnServer('answers 404 for an unknown id, a deleted account and an admin'),
      ),
      message('Failed to fetch owners', owners('a failure is told, with Retry in its place')),
      message('Failed to create owner', owners('a failure keeps the dialog and what was typed')),
      message('Failed to update owner', owners('from the details: E edits over them, and they show what was saved')),
      message('Failed to delete owner', owners('the last row of the last page: a page back')),
      message(
        'Failed to search owners',
        owners('with no match it says what was searched, and failing it says its own message'),
      ),
      message('Failed to fetch system owners', copy('a failed list says so, an empty one why')),
      message('Failed to copy owners', copy('after a failure the dialog stays, and asking again uses the same key')),
      message('Failed to fetch trucks', trucks('failures say their own message')),
      message('Failed to create truck', trucks('a failed create says its default')),
      message('Failed to update truck', trucks('E changes wheels and owner only as they were changed')),
      message('Failed to delete truck', trucks('Delete asks, and tells what came of it')),
      message('Failed to search trucks', trucks('failures say their own message')),
      message('Failed to fetch tags', tags('failures say their own message on the page')),
      message('Failed to save tag', tags('N creates, with a colour picked and the texts trimmed')),
      message('Failed to delete tag', tags('failures say their own message on the page')),
      message('Failed to search tags', tags('failures say their own message on the page')),
      message('Failed to fetch petrol pumps', pumps('a failed list says so, with Retry')),
      message('Failed to save petrol pump', pumps('N creates, with the values trimmed')),
      message('Failed to delete petrol pump', pumps('Delete asks with the stated words')),
      message('Failed to load tag analytics data', own('tag analytics that cannot be loaded say so on the dashboard')),
      message('Failed to fetch profile', own('a profile that cannot be loaded says so')),
      loginFailed,
      message('Invalid admin credentials', own(loginDefault)),
      message('Invalid subadmin credentials', own(loginDefault)),
      {
        text: 'Cannot delete tag "<tag name>". It is currently assigned to {n} challan(s).',
        gaps: ['<tag name>', '{n}'],
        tests: [
          tags(
            'a tag in use stays, the page says why and clears it by itself',
            'Cannot delete tag "TAG 01". It is currently assigned to 3 challan(s).',
          ),
          references(
            'is not deleted, and the refusal says how many; without challans it goes',
            'Cannot delete tag "Coal "A"". It is currently assigned to 2 challan(s).',
          ),
        ],
      },
      {
        text: 'Owner copy failed: <message>',
        gaps: ['<message>'],
        tests: [
          copy(
            'each error is told by itself; where nothing was copied there is no success',
            'Owner copy failed: Owner not found',
          ),
        ],
      },
      {
        text: 'Failed to load usage statistics / There was an error fetching the usage data. Please try again.',
        sentences: ['Failed to load usage statistics', 'There was an error fetching the usage data. Please try again.'],
        tests: [
          tags(
            'a failed usage call has its own state, with Retry',
            'Failed to load usage statisticsThere was an error fetching the usage data. Please try again.Retry',
          ),
        ],
      },
      message('Subadmin created successfully', accounts('N creates, and the six fields are sent as they are stored')),
      message(
        'Subadmin deleted successfully',
        subadmins('Delete asks with the stated words, and says what becomes of the account'),
      ),
      message(
        'Subadmin updated successfully',
        accounts('an edit sends only what was changed; a blank password is not sent'),
      ),
      message(
        'Owner created successfully',
        owners('N, Ctrl+Enter: IFSC and PAN go in capitals, and the focus is on the new row'),
      ),
      message(
        'Owner updated successfully',
        owners('E sends only what was changed, with the version, and comes back to the row'),
      ),
      message(
        'Owner deleted successfully',
        owners('asks first and says how many trucks go with it; the focus goes to the neighbour'),
      ),
      message(
        'Truck created successfully',
        trucks('N: the owner is searched and picked, and the truck goes with its id'),
      ),
      message('Truck updated successfully', trucks('E changes wheels and owner only as they were changed')),
      message('Truck deleted successfully', trucks('Delete asks, and tells what came of it')),
      message('Tag created successfully', tags('N creates, with a colour picked and the texts trimmed')),
      message('Tag updated successfully', tags('E edits, Delete deletes')),
      message('Tag deleted successfully', tags('E edits, Delete deletes')),
      message('Petrol pump created successfully!', pumps('N creates, with the values trimmed')),
      message('Petrol pump updated successfully!', pumps('E edits, and with nothing changed says so')),
      message('Petrol pump deleted successfully!', pumps('Delete asks with the stated words')),
      {
        text: 'Successfully copied {n} owners and {m} trucks',
        gaps: ['{n}', '{m}'],
        tests: [
          copy(
            'the selection survives paging and search, and the confirmation counts all of it',
            'Successfully copied 4 owners and 5 trucks',
          ),
        ],
      },
    ],
  },
};
