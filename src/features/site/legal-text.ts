// The terms and the privacy policy. What they promise comes from product.md section 1 and the decisions.
import {
  CHILD_AGE,
  DELETION_DAYS,
  INVITED_DAYS,
  LEAST_AGE,
  LOG_MONTHS,
  MESSAGE_DAYS,
  NOTICE_DAYS,
  TRIAL_DAYS,
  TRIAL_MEMORY_MONTHS,
} from './promise.ts'

export interface LegalText {
  title: string
  /** The short version, for people who won't read the rest. */
  summary: string
  sections: readonly (readonly [heading: string, ...paragraphs: string[]])[]
}

/** The date of the terms that people accept when they sign up (product.md section 1). */
export const LAST_UPDATED = 'June 1, 2025'

export const TERMS: LegalText = {
  title: 'Terms of Service',
  summary: `${TRIAL_DAYS} days free without a card, then a plan that you can cancel at any time. What you enter stays yours.`,
  sections: [
    [
      'What these terms are',
      'These terms are the agreement between you and the operator of Tutorlog. By creating an account, with ' +
        'an email address or with Google, you accept them and the Privacy Policy. We record which version you ' +
        'accepted and when.',
    ],
    [
      'What Tutorlog is',
      'Tutorlog is a record of private tutoring, kept by families and tutors: children and students, ' +
        'tutors, sessions, recurring schedules and monthly totals. Tutorlog works out what is owed for a ' +
        'session; it doesn’t move money between families and tutors, doesn’t employ tutors, and isn’t a party ' +
        'to what they agree on.',
    ],
    [
      'Who may use it',
      `You are at least ${LEAST_AGE} years old, or you have the consent of a parent or guardian. You say so when you sign up, and we record it.`,
    ],
    [
      'Your account',
      'Use an email address of your own and keep your password to yourself. You are responsible for what is ' +
        'done with your account. Tell us if you think somebody else is using it; you can end every signed-in ' +
        'device in your account settings.',
    ],
    [
      'Free trial',
      `Every account starts with a free trial of ${TRIAL_DAYS} days. No credit card is asked for, and nothing is charged when the trial ends.`,
    ],
    [
      'Subscription',
      'After the trial, adding and changing entries needs a paid subscription, monthly or yearly. You see ' +
        'the price before you subscribe. Payments are processed by a card payment provider; your card number ' +
        'never reaches us.',
      'A subscription renews automatically at the end of each month or year, at the price shown in your account settings at that time, until you cancel it.',
    ],
    [
      'Canceling and refunds',
      'You cancel in your account settings, at any time. The cancellation takes effect at the end of the ' +
        'period that is paid for, and you keep everything until then. There are no refunds for partial ' +
        'periods.',
    ],
    [
      'Without a subscription',
      'When the trial or the subscription is over you can still read, export and delete everything. Nothing is ever deleted for not paying.',
    ],
    [
      'Referral program',
      'You may invite friends. When an invited friend signs up with your link and confirms their email ' +
        'address, both of you get more days of trial, or a credit of as much; the app shows how many. One ' +
        'reward is given for each friend, whatever spelling of an address they use, and none for yourself; ' +
        'you get rewards for at most 12 friends in a year. Rewards cannot be paid out or passed on, and we ' +
        'may take back rewards earned with accounts created just for that.',
      'Only invite people who won’t mind an email from you. Each invitation has a link with which the recipient ends all invitations.',
    ],
    [
      'Verification by both sides',
      'A parent may ask a tutor to confirm sessions. A session that both sides confirmed is shown as ' +
        'verified. Verification is the two sides’ own statement; we do not check whether a lesson took place. ' +
        'The history of a session can be seen by both and is never rewritten.',
    ],
    [
      'What you may not do',
      'Do not enter data about people that you have no right to enter, use the service to send unwanted ' +
        'email, try to get at other people’s data, disrupt the service, or use it to break the law. We may ' +
        'limit or suspend an account that does so, and tell its owner why.',
    ],
    [
      'Your data',
      'What you enter stays yours. You only give us the right to store and process it to run the service for you.',
      `You can export everything at any time, as one archive of files that common programs can open. ` +
        `You can delete your account at any time; its data is then ` +
        `deleted within ${DELETION_DAYS} days, and until that happens signing in offers to undo the deletion.`,
    ],
    [
      'Availability and liability',
      'We work to keep the service available and its figures right, and we keep backups. The service is ' +
        'provided as it is. As far as the law allows, we are not liable for indirect damages or lost profits, ' +
        'and our liability is limited to what you paid in the twelve months before. Nothing in these terms ' +
        'limits rights that the law gives you as a consumer.',
    ],
    [
      'Changes to these terms',
      `When these terms change, we announce it by email ${NOTICE_DAYS} days before the new version takes effect. ` +
        `If you do not agree, cancel and take your data with you before that day. ` +
        `Using the service after that day means that you accept the new version.`,
    ],
    ['Contact', 'Send questions about these terms with the contact form.'],
  ],
}

export const PRIVACY: LegalText = {
  title: 'Privacy Policy',
  summary:
    'We keep what you enter to run the service for you, and nothing else. No advertising, no tracking, nothing sold.',
  sections: [
    [
      'What this is about',
      'This policy says what Tutorlog keeps about you and about the people you enter, why, for how long, and what you can do about it.',
    ],
    [
      'What we collect',
      'Your account: email address, name if you enter one, role, when you signed up and which version of ' +
        'the terms you accepted. Your password is kept only as a hash. If you sign in with Google, we get ' +
        'your name and email address from Google, and nothing else.',
      'What you enter: names, grades and notes of children or students; names, contact details, rates and ' +
        'subjects of tutors; sessions, schedules and notes. We do not ask for birth years of children or for ' +
        'anything else that your records do not need.',
      'What running the service records: session and usage logs, the devices you are signed in on, and ' +
        'network addresses for as long as it takes to limit abuse.',
      'What you write to us with the contact form, and the addresses of friends whom you invite.',
    ],
    [
      'What we use it for',
      'To show you your records, calculate amounts, send the emails that the service needs, keep it safe, ' +
        'and answer you. We do not advertise, build profiles or sell data.',
    ],
    [
      'Children',
      `Tutorlog is for adults, and for those who have the consent of a parent or guardian. No data is collected directly ` +
        `from children under ${CHILD_AGE}. What is recorded about a child is entered by parents, guardians and tutors, ` +
        `who can see, correct, export and delete it.`,
    ],
    [
      'Voice',
      'A recording is used to fill in one session and is never stored. It stays on the server that you use, ' +
        'unless the operator of that server has set up a speech service elsewhere. The words that were heard ' +
        'are kept only if you save them in the notes.',
    ],
    [
      'Whom we share it with',
      'A tutor whom you ask to confirm sessions sees what needs confirming: the child’s first name, date, ' +
        'duration, subject and amount. A card payment provider handles payments and keeps card data; we keep ' +
        'only which plan you have. An email service delivers our emails. Authorities get data only if the law ' +
        'requires it. Nobody else gets any, and nobody buys or rents your data.',
      'Our pages load nothing from other companies.',
    ],
    ['Where it is processed', 'Data is processed in the United States.'],
    [
      'How long we keep it',
      `The data of cancelled accounts is deleted within ${DELETION_DAYS} days. Session ` +
        `and usage logs are kept for up to ${LOG_MONTHS} months. A message from the contact form is deleted ` +
        `from the app after ${MESSAGE_DAYS} days; the email with it stays in our mailbox as long as we need to answer it. ` +
        `Everything else stays until you delete it.`,
      `Each address gets one free trial. When an account is erased, we keep a hash ` +
        `from which the address cannot be read, and the day its trial began, for ${TRIAL_MEMORY_MONTHS} months.`,
      'Nothing is deleted because a trial or a subscription has ended.',
    ],
    [
      'Friends you invite',
      `The email address of an invited friend is used for the invitation ` +
        `and deleted after ${INVITED_DAYS} days. Every invitation has a link that ends all further invitations, ` +
        `without an account. To remember that choice, and to reward an invitation only once, we keep a hash ` +
        `from which the address cannot be read.`,
    ],
    [
      'Cookies and storage',
      'We only set the cookies that signing in needs; scripts cannot read them. Your browser also keeps the ' +
        'form you are filling in, until it is sent. There are no tracking cookies.',
    ],
    [
      'How we protect it',
      'Connections are encrypted, passwords and links are kept as hashes, and the database itself refuses ' +
        'to show one user the entries of another. If something happens to your data that puts you at risk, we ' +
        'tell you without delay.',
    ],
    [
      'Your rights',
      'You can see and correct your data in the app, export all of it, and delete it with your account in ' +
        'the account settings. For anything else, write to us with the contact form; where you live the law ' +
        'may give you further rights, such as a complaint to an authority.',
    ],
    [
      'Changes to this policy',
      `When this policy changes, we announce it by email ${NOTICE_DAYS} days before the new version takes effect.`,
    ],
    ['Contact', 'Send questions about your data with the contact form.'],
  ],
}
