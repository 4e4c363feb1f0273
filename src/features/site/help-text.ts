// The help page's text. Button and page labels are enclosed in **. help-text.test.ts checks that every label
// exists on a screen and that the numbers match the code.

export interface Question {
  ask: string
  /** Numbered steps, shown above the answer. */
  steps?: readonly string[]
  answer: readonly string[]
}

interface HelpText {
  title: string
  summary: string
  /** `id` is the section's anchor, which the app and emails link to. */
  sections: readonly { id: string; heading: string; questions: readonly Question[] }[]
}

export const HELP: HelpText = {
  title: 'Help',
  summary:
    'Learn how to share a log with a tutor or family, agree on each month’s total, and keep track of what’s owed. If your question isn’t here, write to us.',
  sections: [
    {
      id: 'connecting',
      heading: 'Connecting with a tutor or a family',
      questions: [
        {
          ask: 'Do I have to connect with anyone?',
          answer: [
            'No. Your log works on its own. Connect when you want the other person to see and confirm the sessions you have together.',
          ],
        },
        {
          ask: 'I’m a parent. How do I connect with a tutor?',
          steps: [
            'Open **Tutors** and make sure the tutor’s email is filled in.',
            'Tap **Ask to confirm**, then **Send request**.',
          ],
          answer: [
            'The tutor gets an email with a link and can answer right there, without an account. If the tutor has ' +
              'an account under that address, the request also shows up on their dashboard.',
          ],
        },
        {
          ask: 'Can I connect without an email address?',
          steps: [
            'Tap **Ask to confirm** or **Invite the family**, and choose **Link or QR code**.',
            'Tap **Make the link**. Let the other person scan the code, or send the link in any messenger.',
          ],
          answer: [
            'The first device that opens the link and continues keeps it; it opens nowhere else after that. You see when ' +
              'it was opened, and can make a new link, which ends the old one. If nobody opens it within 14 days, it lapses. ' +
              'Without an address, the other person gets no emails or reminders, but can add one on the page at any time.',
          ],
        },
        {
          ask: 'I’m a tutor. How do I connect with a family?',
          steps: [
            'Open **My Students** and tap **Invite the family** on the student’s card.',
            'Enter the family’s email, and check any brothers or sisters you also teach.',
            'Tap **Send the invitation**.',
          ],
          answer: ['The family can also answer from the email. They don’t need an account.'],
        },
        {
          ask: 'Someone sent me a request. What do I do?',
          answer: [
            'If you have an account, tap **Accept** or **Decline** on your dashboard. When you accept, you ' +
              'match each name to one of your students or children. If you don’t have an account, open the ' +
              'link in the email. The link works for 45 days, and every later email includes a new one. If ' +
              'nobody answers a request within 30 days, it expires.',
          ],
        },
        {
          ask: 'What does the other person see?',
          answer: [
            'They see your name, the child’s first name, and the details of each session you have together: date, ' +
              'start time, duration, subject, rate, amount, summary and homework. They also see the payments ' +
              'between the two of you. They never see your private notes, phone numbers, or other tutors, ' +
              'students or families.',
            'All the sessions you have together are shared, unless you choose a start date when you send ' +
              'the request. Sessions before that date stay in your own log.',
          ],
        },
        {
          ask: 'What if we both logged the same lesson?',
          answer: [
            'Tutorlog shows you the two side by side. Tap **Same lesson** to combine them, or **Two lessons** to ' +
              'keep both. If you combine two that don’t match exactly, you’ll both be asked to confirm the result.',
          ],
        },
        {
          ask: 'How do I end a connection?',
          answer: [
            'Tap the three dots next to the tutor, student or family, then **End connection**. Each of you keeps ' +
              'a copy of every session you shared, with its confirmations and history. From then on, neither of you ' +
              'sees what the other logs or changes.',
          ],
        },
      ],
    },
    {
      id: 'confirming',
      heading: 'Confirming and disputing sessions',
      questions: [
        {
          ask: 'What do the two check marks mean?',
          answer: [
            'Blue is the parent’s and green is the tutor’s. Logging a session confirms it for your side. ' +
              'Once the other person confirms it too, it’s agreed.',
          ],
        },
        {
          ask: 'How do I confirm a session?',
          answer: [
            'Tap **Confirm** on your dashboard, or open the link in our email. To confirm several at once, open ' +
              '**Sessions to confirm**: everything is checked, and one button confirms what stays checked. You can ' +
              'confirm a session starting on the day it takes place. If you change your mind, tap **Undo**.',
          ],
        },
        {
          ask: 'What if a session is wrong?',
          answer: [
            'Tap **Not right**, or uncheck the session in the list, pick **Time**, **Rate** or **Didn’t happen**, ' +
              'fill in what would be right, then tap **Send**. The other person can accept it with one tap. You can ' +
              'also send only a note, and they correct the session or reply. A session that isn’t right isn’t part ' +
              'of what’s owed until you both agree.',
          ],
        },
        {
          ask: 'Can a confirmed session still change?',
          answer: [
            'Yes, either of you can correct it. If the student, tutor, date, duration or rate changes, the other ' +
              'person’s confirmation no longer counts, and they’re asked to confirm again. The session’s ' +
              'history shows both of you who did what and when, and nobody can change it.',
          ],
        },
        {
          ask: 'I deleted a session by mistake. Can I get it back?',
          answer: [
            'Yes, for a few seconds: tap **Undo** in the message at the bottom. Nobody else hears of it. The session is ' +
              'deleted once the message or the page closes.',
          ],
        },
        {
          ask: 'Can I delete a session the other person has confirmed?',
          answer: [
            'Only if they agree. The session is deleted once the other person taps **Agree to delete**. If they tap **Keep it**, it stays.',
          ],
        },
        {
          ask: 'What if the other person never answers?',
          answer: [
            'The session stays unconfirmed. We send a reminder after 3 days and another after 10. After 14 ' +
              'days the session shows “No answer since” and the date, or after 28 days if our reminders ' +
              'can’t reach them. If you asked to delete the session, you can then tap **Delete from your ' +
              'log**, and the other person keeps a copy.',
          ],
        },
      ],
    },
    {
      id: 'logging',
      heading: 'Sessions, schedules and rates',
      questions: [
        {
          ask: 'What’s the quickest way to log a lesson?',
          answer: [
            'Tutors see all of today’s classes under **Today** and log those that have ended with one tap each, or all ' +
              'of them at once. In **Add Session**, a tap on a usual session that names a day, such as “yesterday,” ' +
              'logs it right away. If it was the wrong one, tap **Undo**.',
          ],
        },
        {
          ask: 'Can a schedule have several weekdays?',
          answer: [
            'Yes. Open **Schedules**, tap **Create Schedule**, and pick all the days. Each day can have its own time.',
          ],
        },
        {
          ask: 'When do you ask whether a class took place?',
          answer: [
            'After it ends, by email, if nobody has answered in the app. The link opens a page with **Yes** and **No**; ' +
              'opening it records nothing. Nothing is sent at night, from nine in the evening to eight in the morning your ' +
              'time, and at most one email an hour. Turn it off under **Emails** in your account settings, or with the link in the email.',
          ],
        },
        {
          ask: 'Can one child have another price, or a price per lesson?',
          answer: [
            'Yes. Open the child’s, student’s or tutor’s page and tap **Set a price**. It applies from the day you choose, ' +
              'per hour or per lesson of a length you state. Sessions you’ve already logged keep their price. The form ' +
              'and each session say which price counts.',
          ],
        },
        {
          ask: 'What if two children have a lesson together?',
          answer: [
            'When you add the session, choose the others under **Also in this lesson**. Each gets a session of its own. ' +
              'Each pays the full price, or they share one.',
          ],
        },
        {
          ask: 'I changed a rate. What about past sessions?',
          answer: [
            'They keep the rate they were logged with. Right after you change a rate, you’re asked whether it’s also ' +
              'for past sessions. You see since when, by how much the amounts change, and which sessions must be ' +
              'confirmed again. Closed months and sessions with their own rate stay as they are.',
          ],
        },
        {
          ask: 'Where do I see everything about one tutor, child or student?',
          answer: [
            'Tap the name in the list. The page shows the balance, schedule, rate and months, and all sessions with a ' +
              'search.',
          ],
        },
        {
          ask: 'Can I import the lessons in my calendar?',
          steps: [
            'Get your calendar’s file. Google Calendar: on a computer, Settings, Import & export, Export. ' +
              'Apple Calendar: on a Mac, File, Export. Outlook for Windows: File, Save Calendar.',
            'On the **Import** page, choose the file. A ZIP file from Google can stay as it is.',
            'Check the events that are lessons, and say whose they are. One answer holds for all events with the same title.',
            'Tap **Preview**, look it over, and import.',
          ],
          answer: [
            'Your calendar is read on your device. Only the lessons you choose are sent to us. Lessons that are already in ' +
              'your log aren’t added again.',
          ],
        },
        {
          ask: 'Can I change several sessions at once?',
          answer: [
            'Yes. In a list of sessions, tap **Select**, pick the ones you want, then confirm, export or delete them ' +
              'together. On a computer, the boxes under **Session Details** are always there, and a column’s header sorts by it.',
          ],
        },
        {
          ask: 'I’m a tutor. What do I need for my tax return?',
          answer: [
            'Open **Taxes** from the summary. It adds up what you received, by the day it was paid, and what you taught, by the ' +
              'day of the lesson: for a calendar year, a UK tax quarter, a school year or any days. **Payments as CSV** is ' +
              'the list behind it. This is no tax advice.',
          ],
        },
        {
          ask: 'How do I find a session?',
          answer: [
            'Type into the search at the top of the summary, or on the page of a tutor, child or student. It looks at ' +
              'subjects, summaries, homework, your own notes, names and days: “zoe fractions” or “march 2026” do. ' +
              '**Filters** narrow it to a person, a status, how a class ended, or a range of days. Nobody else’s notes are searched.',
          ],
        },
      ],
    },
    {
      id: 'months',
      heading: 'Months',
      questions: [
        {
          ask: 'Where do I see a month’s total?',
          answer: [
            'Open **Summary**. It shows the month’s sessions, hours and amounts, with how much is agreed and how ' +
              'much is still waiting. Tap **Statement** to get a PDF or a spreadsheet for any date range, for ' +
              'everyone or just one person.',
          ],
        },
        {
          ask: 'How do we close a month?',
          steps: [
            'On or after the last day of the month, open **Summary** and choose the month.',
            'Under **Closing the month**, see what’s still open. Every session and payment must be confirmed first.',
            'Tap the button to close the month. The other person confirms with one tap.',
          ],
          answer: [
            'You both get the same page, with every session, every payment and the balance. Tap **Keep a copy ' +
              '(PDF)** to save it. Anyone can use the code on it to check that it’s genuine.',
            'If you have a passkey, you can **Sign with your passkey**, and the page says so. It’s optional.',
          ],
        },
        {
          ask: 'How do I check a statement someone gave me?',
          answer: [
            'Open **Verify** at the bottom of this page and type the code from the statement. You see whether ' +
              'it’s genuine, and the figures that both sides confirmed. Compare them with the ones on your copy.',
          ],
        },
        {
          ask: 'Can a closed month change?',
          answer: [
            'Only if one of you reopens it and gives a reason, which the other person can see. Anyone who ' +
              'checks the old code will then see that the month has changed. When you close the month ' +
              'again, the new page gets a new code.',
          ],
        },
      ],
    },
    {
      id: 'payments',
      heading: 'Payments and ways to pay',
      questions: [
        {
          ask: 'Does Tutorlog move money?',
          answer: [
            'No. You pay each other the way you always have. Tutorlog keeps track of what’s been paid and what’s still owed.',
          ],
        },
        {
          ask: 'How do I record a payment?',
          answer: [
            'Open **Payments** from the summary and tap **Record a payment**. If you’re connected, the ' +
              'other person is asked to confirm it: a tutor taps **Received**, and a family taps **Paid**. ' +
              'Until then, the payment is on its way and doesn’t change the balance.',
          ],
        },
        {
          ask: 'How do I add the cost of a book?',
          answer: [
            'Open **Payments** and tap **Add a charge**. It counts once the other person taps **Confirm**. If the amount ' +
              'or the date is wrong, they tap **Not right** and enter the right one, which you accept with one tap. A ' +
              'credit works the same way. By voice, say “plus 12 dollars for the book” after a session, and both are ' +
              'saved with one button.',
          ],
        },
        {
          ask: 'Why is there a charge that nobody typed?',
          answer: [
            'You agreed on it with your terms: a fee, a missed lesson, or the time that was kept for a lesson that was ' +
              'shorter than planned. Each says why, and counts once whoever pays confirms it. Until then, whoever is paid ' +
              'can open it under **Payments** and tap **Waive**.',
          ],
        },
        {
          ask: 'What’s the amount at the top?',
          answer: [
            'It’s what you owe, or what you’re owed, in all as of today. It’s the same on the dashboard, in the summary ' +
              'and under **Payments**. Tap the line below it to see how it adds up for each tutor, family or student.',
          ],
        },
        {
          ask: 'How is the balance calculated?',
          answer: [
            'It starts with the amount carried over, adds the sessions, and subtracts the payments. You both see ' +
              'the same balance. A payment from before you connected stays in your own records until you tap ' +
              '**Share**.',
          ],
        },
        {
          ask: 'How do prepaid hours work?',
          answer: [
            'Record a payment, choose **Prepaid hours**, and enter the number of hours and the price. From that day ' +
              'on, sessions use up those hours first. You’ll see a note when they’re almost used up.',
          ],
        },
        {
          ask: 'I’m a tutor. How do I tell families how to pay me?',
          answer: [
            'Open **Account settings** and tap **Add a payment option**. You can list up to 6: a payment link from ' +
              'PayPal, Venmo, Cash App, Revolut, Wise or Stripe, a bank account in the euro area or in Switzerland, ' +
              'a UPI ID, or a few words of your own. Only the owner of the practice can change the list.',
          ],
        },
        {
          ask: 'I’m a parent. How do I pay?',
          answer: [
            'When you owe something, **Payments** shows the tutor’s payment options, with the amount filled in ' +
              'where possible. After you pay, tap **I paid**.',
          ],
        },
      ],
    },
    {
      id: 'papers',
      heading: 'Receipts and invoices',
      questions: [
        {
          ask: 'I’m a tutor. How do I issue a receipt or an invoice?',
          steps: [
            'Open **Payments**, then **Receipts and invoices**, and tap **Add your details**.',
            'Tap **New paper** and choose the student, the program and the days.',
            'Read what is missing, fill it in, and issue the paper.',
          ],
          answer: [
            'Each paper gets the next number of the year. It has one line per lesson, the charges, and the payments that paid for them, the oldest first. The code at the bottom shows anyone that it’s genuine.',
          ],
        },
        {
          ask: 'Something on it is wrong. Can I change it?',
          answer: [
            'No, an issued paper never changes. Choose **Void and issue again**: the wrong one stays in the list as void, and the new one gets a number of its own.',
          ],
        },
        {
          ask: 'Will my program accept it?',
          answer: [
            'We compare the paper with what public pages say the program wants, and name what is missing before you issue it. Those pages can be out of date, and this is no tax advice: ask the program or your tax adviser.',
          ],
        },
        {
          ask: 'I’m a parent. Can I make a receipt myself?',
          answer: [
            'Yes, if your tutor allows it: under **Receipts and invoices**, or on the page that their emails lead to. Then open **Payments**, **Receipts and records**, and tap **New paper**. The receipt is in the tutor’s name with the tutor’s next number, and the tutor gets an email. The child’s name as enrolled and the program number stay with you.',
            'Otherwise, choose **Our own record**. It says what you and the tutor recorded, but it has no number and isn’t a receipt.',
          ],
        },
        {
          ask: 'What happens to the papers if I delete my account?',
          answer: [
            'They’re erased with it. Tax offices want them for years, so export your data first. If a family deletes its account, you keep your papers. A family keeps the receipts that it made in your name.',
          ],
        },
      ],
    },
    {
      id: 'terms',
      heading: 'Terms',
      questions: [
        {
          ask: 'How do we agree on what a canceled lesson costs?',
          steps: [
            'Open the page of the student or tutor and find **Terms**.',
            'Choose where to start from, change what’s different, and tap **Read it back**.',
            'Tap **Propose**. The other side reads the same sentences and taps **Agree**.',
          ],
          answer: [
            'They apply from the day on which the other side agrees. Until then, and until you both agree to new ones, what you agreed before applies.',
          ],
        },
        {
          ask: 'Can we change or end them?',
          answer: [
            '**Change** proposes a new version. Ending them needs the other side’s consent. **Earlier terms** keeps what applied before.',
          ],
        },
      ],
    },
    {
      id: 'voice',
      heading: 'Voice',
      questions: [
        {
          ask: 'How do I log a session by voice?',
          steps: [
            'Open **Add Session** and choose **Voice Input**.',
            'Tap the microphone and say who had the lesson, with which tutor, when, and for how long: “Maya had an ' +
              'hour and a half of algebra with Ingrid on Tuesday.” You can record for up to two minutes.',
            'Tap again when you’re done, and check that everything was understood correctly.',
            'Tap **Use This Data** or **Edit & Review**. Both fill in the form.',
          ],
          answer: ['Nothing is saved until you tap **Add Session** in the form.'],
        },
        {
          ask: 'Something was understood wrong. How do I change it?',
          answer: [
            'Tap **Change something** on the card and say or type what’s wrong, such as “no, Friday” or “it was two ' +
              'hours”. The rest stays. You can also change everything in the form.',
            'If you choose another person than was understood, Tutorlog learns what you call them: “Next time, ' +
              '“Lachie” is Lachlan.” Tap **Undo** if it shouldn’t. **Names Tutorlog learned** in your account settings ' +
              'lists those names, and you can delete them there.',
          ],
        },
        {
          ask: 'What if I can’t record?',
          answer: [
            'Type the same sentence, or dictate it with your keyboard’s microphone, and tap **Fill in the form**. ' +
              'This works even if recording is blocked or turned off.',
          ],
        },
        {
          ask: 'Do you keep my recording?',
          answer: [
            'No. It’s used to fill in one session and is never stored. It stays on the server you use, unless the ' +
              'operator of that server has set up a speech service elsewhere.',
          ],
        },
      ],
    },
    {
      id: 'offline',
      heading: 'Working offline',
      questions: [
        {
          ask: 'What can I do offline?',
          answer: [
            'You can see everything as of the last time it loaded on this device, and you can log ' +
              'sessions. A line at the top tells you that you’re offline and how old the data is. You need ' +
              'to have opened the app online at least once and still be signed in: you’re signed out after ' +
              '2 hours without activity.',
          ],
        },
        {
          ask: 'When are my sessions sent?',
          answer: [
            'They wait on your device and are sent automatically once you’re back online with the app open. Each ' +
              'session is saved only once, no matter how many times it’s sent. If a session isn’t accepted, it ' +
              'stays in the list with the reason, and you can correct it or discard it.',
          ],
        },
        {
          ask: 'What if I sign out before they’re sent?',
          answer: [
            'You’ll get a warning first, because signing out deletes any sessions still waiting on the device. If ' +
              'you’re signed out for inactivity, they’re kept until you sign in again.',
          ],
        },
      ],
    },
    {
      id: 'your-data',
      heading: 'Exporting your data and deleting your account',
      questions: [
        {
          ask: 'How do I export my data?',
          answer: [
            'Open **Account settings** and tap **Export**. You get one ZIP file with every table, as CSV for ' +
              'spreadsheets and as JSON for programs, and a README that explains the columns. If you own the ' +
              'family or practice, or you’re a parent who can see everything in it, you get all of its records. ' +
              'Otherwise, you get what belongs to your account.',
          ],
        },
        {
          ask: 'Can I import a list that I already have?',
          steps: [
            'Save the spreadsheet as a CSV file.',
            'Open **Summary** and tap **Import**, or **Import charges** on the payments page.',
            'Choose the file, check what was understood, and tap the button at the bottom.',
          ],
          answer: [
            'A file can have sessions, or charges and credits. A charge needs a date and an amount; a negative ' +
              'amount is a credit. Lines that can’t be imported say why, and what’s already recorded is left out. ' +
              'The other person is asked about imported charges like any others. You can also import ' +
              'the file csv/charges.csv of your export.',
          ],
        },
        {
          ask: 'What if my trial or subscription ends?',
          answer: [
            'You can still read, export and delete everything. Nothing is ever deleted because you didn’t pay.',
          ],
        },
        {
          ask: 'Can I sign in without a password?',
          steps: [
            'Open **Account settings** and tap **Add** next to **Passkeys**.',
            'Confirm with your fingerprint, face or screen lock.',
            'Next time, pick the passkey that your browser suggests, or tap **Use a passkey**.',
          ],
          answer: [
            'You can also sign up with a passkey. If you lose your devices, tap **Forgot password?** to get back in by ' +
              'email.',
          ],
        },
        {
          ask: 'How do I protect my password with a second step?',
          steps: [
            'Open **Account settings** and tap **Set up** next to **Second step**.',
            'Scan the code with an authenticator app, such as Google Authenticator, and enter the code that it shows.',
            'Keep the ten recovery codes where you’ll find them without your phone.',
          ],
          answer: [
            'From then on, your password needs a code from the app, too. Without your phone, use a recovery code or a ' +
              'passkey. Resetting your password by email needs a code as well.',
          ],
        },
        {
          ask: 'How do I delete my account?',
          answer: [
            'Open **Account settings** and tap **Delete**. Type “delete” and enter your password; if you sign in ' +
              'with Google, you may have to sign in again. You’re signed out everywhere right away, and any active ' +
              'subscription is canceled.',
            'Everything in your account is erased within 30 days. Sign in within 29 days if you want to keep it.',
          ],
        },
        {
          ask: 'What happens to what I shared?',
          answer: [
            'The other person keeps their copy of the sessions and payments you shared, and the pages of ' +
              'closed months. If another parent can see all of the family’s records, they become the owner ' +
              'and nothing else changes. If you signed a page with a passkey, the signature stays on it.',
          ],
        },
        {
          ask: 'How do I get fewer emails?',
          answer: [
            'To choose which emails you get, go to **Account settings** and open **Emails**. Every daily and monthly email also has an unsubscribe link.',
          ],
        },
      ],
    },
  ],
}

/** Splits text into plain parts and the labels enclosed in ** markers. */
export function textParts(text: string): { words: string; isLabel: boolean }[] {
  return text
    .split('**')
    .map((words, at) => ({ words, isLabel: at % 2 === 1 }))
    .filter(({ words }) => words !== '')
}
