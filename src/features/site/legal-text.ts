// The terms and the privacy policy. What they promise comes from docs/product.md, section 1, and
// docs/product-decisions.md.
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

/** The date of the terms that people accept when they sign up (docs/product.md, section 1). */
export const LAST_UPDATED = 'June 1, 2025'

export const TERMS: LegalText = {
  title: 'Terms of Service',
  summary: `${TRIAL_DAYS} days free without a card, then a plan you can cancel anytime. What you enter stays yours.`,
  sections: [
    [
      'What these terms are',
      'These terms are the agreement between you and the operator of Tutorlog. By creating an account, with ' +
        'an email address or with Google, you accept them and the Privacy Policy. We record which version you ' +
        'accepted and when.',
    ],
    [
      'What Tutorlog is',
      'Families and tutors use Tutorlog to keep a record of private tutoring: children and students, ' +
        'tutors, sessions, recurring schedules and monthly totals. Tutorlog calculates what is owed for a ' +
        'session. It doesn’t move money between families and tutors, doesn’t employ tutors, and isn’t a party ' +
        'to their agreements.',
    ],
    [
      'Who can use Tutorlog',
      `You must be at least ${LEAST_AGE} years old, or you must have the consent of a parent or guardian. You confirm this when you sign up, and we record it.`,
    ],
    [
      'Your account',
      'Use your own email address and keep your password to yourself. You are responsible for everything done ' +
        'with your account. Tell us if you think somebody else is using it. You can sign out any device in ' +
        'your account settings.',
    ],
    [
      'Free trial',
      `Every account starts with a free trial of ${TRIAL_DAYS} days. You don’t need a credit card, and you won’t be charged when the trial ends.`,
    ],
    [
      'Subscription',
      'After the trial, you need a paid subscription, monthly or yearly, to add or change entries. You see ' +
        'the price before you subscribe. Payments are processed by a card payment provider; your card number ' +
        'never reaches us.',
      'A subscription renews automatically at the end of each month or year, at the price shown in your account settings at that time, until you cancel it.',
    ],
    [
      'Canceling and refunds',
      'You can cancel at any time in your account settings. The cancellation takes effect at the end of the ' +
        'paid period, and you keep full access until then. There are no refunds for partial periods.',
    ],
    [
      'Without a subscription',
      'When your trial or subscription is over, you can still read, export and delete everything. Nothing is ever deleted for not paying.',
    ],
    [
      'Referral program',
      'You may invite friends. When an invited friend signs up with your link and confirms their email ' +
        'address, both of you get extra trial days, or a credit for the same number of days; the app shows how ' +
        'many. You get one reward for each friend, even if they use several versions of their address, and ' +
        'none for inviting yourself. You can get rewards for at most 12 friends a year. Rewards cannot be ' +
        'paid out or transferred, and we may take back rewards earned with accounts created just to earn them.',
      'Only invite people who won’t mind an email from you. Each invitation has a link that lets the recipient stop all invitations.',
    ],
    [
      'Verification by both sides',
      'A parent may ask a tutor to confirm sessions. A session that both sides have confirmed is shown as ' +
        'agreed. That means only that both sides have confirmed it; we do not check whether a ' +
        'lesson took place. Both sides can see a session’s history, and it is never rewritten.',
    ],
    [
      'What you may not do',
      'Do not enter data about people if you have no right to do so. Do not use the service to send unwanted ' +
        'email or break the law, try to access other people’s data, or disrupt the service. We may limit or ' +
        'suspend an account that breaks these rules, and we will tell its owner why.',
    ],
    [
      'Your data',
      'What you enter stays yours. You give us only the right to store and process it so that we can run the service for you.',
      `You can export everything at any time, as a single ZIP file that common programs can open. ` +
        `You can delete your account at any time; its data is then ` +
        `deleted within ${DELETION_DAYS} days. Until that happens, you can sign in to undo the deletion.`,
    ],
    [
      'Availability and liability',
      'We work to keep the service available and its figures accurate, and we keep backups. The service is ' +
        'provided as is. As far as the law allows, we are not liable for indirect damages or lost profits, ' +
        'and our liability is limited to what you paid us in the preceding twelve months. Nothing in these ' +
        'terms limits your legal rights as a consumer.',
    ],
    [
      'Changes to these terms',
      `When these terms change, we let you know by email ${NOTICE_DAYS} days before the new version takes effect. ` +
        `If you do not agree, cancel and export your data before that day. ` +
        `If you use the service after that day, you accept the new version.`,
    ],
    ['Contact', 'If you have questions about these terms, use the contact form.'],
  ],
}

export const PRIVACY: LegalText = {
  title: 'Privacy Policy',
  summary:
    'We keep what you enter only to run the service for you. We don’t advertise, track you or sell your data.',
  sections: [
    [
      'About this policy',
      'This policy explains what data Tutorlog keeps about you and the people you add, why and how long we keep it, and what you can do about it.',
    ],
    [
      'What we collect',
      'Your account: your email address, your name if you enter one, your role, when you signed up, and which ' +
        'version of the terms you accepted. Your password is kept only as a hash. If you sign in with Google, we get ' +
        'your name and email address from Google, and nothing else.',
      'What you enter: children’s or students’ names and grades, and your notes about them; tutors’ names, ' +
        'contact details, rates and subjects; and sessions, schedules and notes. We do not ask for children’s ' +
        'birth years or for anything else that your records do not need.',
      'What we record to run the service: session and usage logs, the devices you are signed in on, and ' +
        'IP addresses, which we keep only as long as needed to limit abuse.',
      'What you send us through the contact form, and the email addresses of friends you invite.',
    ],
    [
      'What we use it for',
      'To show you your records, calculate amounts, send the emails that the service requires, keep the ' +
        'service secure, and answer your questions. We do not advertise, build profiles or sell data.',
    ],
    [
      'Children',
      `Tutorlog is for adults and for anyone who has the consent of a parent or guardian. No data is collected directly ` +
        `from children under ${CHILD_AGE}. What is recorded about a child is entered by parents, guardians and tutors, ` +
        `who can see, correct, export and delete it.`,
    ],
    [
      'Voice',
      'A recording is used to fill in one session and is never stored. It stays on the server you use, ' +
        'unless that server’s operator has set up a speech service elsewhere. The transcript is kept only if ' +
        'you save it in the notes.',
    ],
    [
      'Who we share it with',
      'A tutor you ask to confirm sessions sees what needs to be confirmed: the child’s first name, date, ' +
        'duration, subject and amount. A card payment provider handles payments and stores card data; we only ' +
        'keep a record of which plan you have. An email service delivers our emails. We give data to ' +
        'authorities only if the law requires it. We don’t share your data with anyone else, and we never ' +
        'sell or rent it.',
      'Our pages do not load anything from other companies.',
    ],
    ['Where your data is processed', 'Data is processed in the United States.'],
    [
      'How long we keep it',
      `The data of cancelled accounts is deleted within ${DELETION_DAYS} days. Session ` +
        `and usage logs are kept for up to ${LOG_MONTHS} months. A message from the contact form is deleted ` +
        `from the app after ${MESSAGE_DAYS} days; the email we receive stays in our mailbox for as long as we need it to answer you. ` +
        `Everything else stays until you delete it.`,
      `Each email address gets one free trial. When an account is erased, we keep a hash of its address ` +
        `(which can’t be turned back into the address) and the day its trial began, for ${TRIAL_MEMORY_MONTHS} months.`,
      'Nothing is deleted because a trial or subscription has ended.',
    ],
    [
      'Friends you invite',
      `We use an invited friend’s email address for the invitation, and it is ` +
        `deleted after ${INVITED_DAYS} days. Every invitation has a link that stops all further invitations, ` +
        `without an account. To remember that choice, and to reward an invitation only once, we keep a hash ` +
        `of the address, which can’t be turned back into the address.`,
    ],
    [
      'Cookies and storage',
      'We only set the cookies needed to sign you in, and scripts cannot read them. Your browser also saves ' +
        'any form you are filling in until you send it. There are no tracking cookies.',
    ],
    [
      'How we protect it',
      'Connections are encrypted, passwords and links are kept as hashes, and the database itself ' +
        'prevents one user from seeing another’s entries. If anything happens to your data that puts you at ' +
        'risk, we will tell you without delay.',
    ],
    [
      'Your rights',
      'You can see and correct your data in the app. In the account settings, you can export all of it, or ' +
        'delete it along with your account. For anything else, use the contact form. Depending on where you ' +
        'live, you may also have other legal rights, such as filing a complaint with an authority.',
    ],
    [
      'Changes to this policy',
      `When this policy changes, we let you know by email ${NOTICE_DAYS} days before the new version takes effect.`,
    ],
    ['Contact', 'If you have questions about your data, use the contact form.'],
  ],
}
