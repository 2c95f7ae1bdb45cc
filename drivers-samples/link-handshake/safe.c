/*
 * slp - secure link protocol, responder side of the handshake.
 *
 * A full handshake:
 *
 *	initiator			responder
 *	HELLO			-->
 *				<--	COOKIE_REQUEST
 *	HELLO + cookie		-->
 *				<--	S_HELLO, CERT, KEX, [CERT_REQUEST], DONE
 *	[CERT], KEX, [VERIFY]	-->
 *	CCS, FINISHED		-->
 *				<--	CCS, FINISHED
 *
 * and one that resumes an earlier session:
 *
 *	HELLO + cookie		-->
 *				<--	S_HELLO, CCS, FINISHED
 *	CCS, FINISHED		-->
 *
 * After either, data flow until one side closes or asks for new keys, which
 * starts over with a HELLO (the cookie remains good).
 *
 * The handshake is one loop around one state variable.  The numeric order of
 * the states is the order of what has been achieved; the comments in the
 * enumeration say what holds from a state on.
 *
 * Properties: no expensive operation before the initiator's address has been
 * confirmed by the cookie; nothing is encrypted or decrypted without keys;
 * a FINISHED is accepted only after a CCS; and in ESTABLISHED both FINISHED
 * messages have been exchanged, the keys are there, and, if the configuration
 * demands it, the initiator has proved who it is.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void link_xmit(int type, unsigned int epoch);
extern unsigned int jiffies(void);

#define SLP_ASSERT(c)	do { if (!(c)) reach_error(); } while (0)

/* ---- protocol constants ------------------------------------------------ */

#define SLP_VERSION_MIN		2u
#define SLP_VERSION_MAX		4u

#define SLP_MAX_RETRIES		5
#define SLP_MAX_CERT_LEN	4096u
#define SLP_MAX_REKEYS		1000u
#define SLP_SESSION_LIFETIME	36000u

/* Cipher suites; 0 is none */
#define SUITE_NONE		0u
#define SUITE_FIRST		1u
#define SUITE_LAST		6u

enum slp_msg {
	MSG_TIMEOUT,			/* nothing came in time */
	MSG_HELLO,
	MSG_COOKIE_REQUEST,
	MSG_S_HELLO,
	MSG_CERT,
	MSG_CERT_REQUEST,
	MSG_KEX,
	MSG_DONE,
	MSG_VERIFY,
	MSG_CCS,
	MSG_FINISHED,
	MSG_DATA,
	MSG_REKEY,
	MSG_ALERT,
	MSG_CLOSE
};

enum slp_alert {
	ALERT_NONE,
	ALERT_UNEXPECTED_MESSAGE,
	ALERT_BAD_VERSION,
	ALERT_NO_SUITE,
	ALERT_BAD_CERT,
	ALERT_NO_CERT,
	ALERT_BAD_SIGNATURE,
	ALERT_BAD_KEX,
	ALERT_BAD_FINISHED,
	ALERT_TIMEOUT,
	ALERT_INTERNAL
};

enum slp_auth {
	AUTH_NONE,			/* anybody may connect */
	AUTH_OPTIONAL,			/* who has a certificate shows it */
	AUTH_REQUIRED
};

enum slp_state {
	/* nothing is known about the initiator */
	HS_CLOSED = 0,
	HS_ALERT_SEND = 1,
	HS_DRAIN = 2,
	HS_LISTEN = 16,
	HS_HELLO_RCVD = 17,
	HS_VERSION_CHECK = 18,
	HS_COOKIE_SEND = 19,
	HS_COOKIE_WAIT = 20,
	HS_COOKIE_CHECK = 21,

	/* from here on: its address is confirmed */
	HS_SESSION_LOOKUP = 32,
	HS_SUITE_SELECT = 33,
	HS_S_HELLO_SEND = 34,

	/* full handshake only */
	HS_CERT_SEND = 48,
	HS_KEX_SEND = 49,
	HS_CERT_REQ_SEND = 50,
	HS_DONE_SEND = 51,
	HS_CERT_WAIT = 52,
	HS_CERT_CHECK = 53,

	/* from here on: it has shown a certificate if it has to */
	HS_KEX_WAIT = 64,
	HS_KEX_DERIVE = 65,

	/* from here on: there are keys */
	HS_VERIFY_WAIT = 80,
	HS_VERIFY_CHECK = 81,

	/* from here on: it is authentic if it has to be */
	HS_CCS_WAIT = 96,
	HS_FIN_WAIT = 97,		/* CCS seen */
	HS_FIN_CHECK = 98,

	/* our turn; the initiator's FINISHED is good unless resuming */
	HS_CCS_SEND = 112,
	HS_FIN_SEND = 113,
	HS_FLUSH = 114,			/* our FINISHED is under way */

	HS_ESTABLISHED = 128
};

/* ---- connection -------------------------------------------------------- */

/* Configuration */
static int auth_mode;

/* The handshake */
static int state = HS_CLOSED;
static int next_state = HS_CLOSED;	/* where to go after a flush */
static int alert;
static int retries;

static int resumed;			/* an earlier session is resumed */
static int cookie_ok;
static int peer_cert;			/* initiator has shown a certificate */
static int peer_auth;			/* ... and proved that it is its own */
static int keys_ready;
static int ccs_seen;
static int peer_finished;		/* its FINISHED was good */
static int finished_sent;		/* ours is out */

static unsigned int version;
static unsigned int suite;
static unsigned int epoch;		/* grows with each change of keys */
static unsigned int rekeys;

/* The session that a HELLO asks to resume */
static unsigned int session_suite;
static unsigned int session_time;

/* ---- messages ---------------------------------------------------------- */

static int slp_recv(void)
{
	int msg = __VERIFIER_nondet_int();

	if (msg < MSG_TIMEOUT || msg > MSG_CLOSE)
		msg = MSG_ALERT;	/* garbage */
	return msg;
}

static void slp_send(int type)
{
	link_xmit(type, 0);
}

/* What is sent under the keys of this epoch. */
static void slp_send_protected(int type)
{
	SLP_ASSERT(keys_ready);
	link_xmit(type, epoch);
}

/* Is it a good record?  Decrypting needs the keys, too. */
static int slp_open_record(void)
{
	SLP_ASSERT(keys_ready);
	return __VERIFIER_nondet_int();
}

/* One more time-out; returns nonzero when patience is at an end. */
static int slp_retry(void)
{
	retries++;
	return retries > SLP_MAX_RETRIES;
}

static void slp_fail(int why)
{
	alert = why;
	state = HS_ALERT_SEND;
}

/* ---- cryptography ------------------------------------------------------ */

static int slp_cookie_valid(void)
{
	return __VERIFIER_nondet_int();
}

static int slp_chain_valid(unsigned int len)
{
	SLP_ASSERT(cookie_ok);
	if (len == 0 || len > SLP_MAX_CERT_LEN)
		return 0;
	return __VERIFIER_nondet_int();
}

/* The expensive one: an attacker must not get it for free. */
static int slp_derive_keys(void)
{
	SLP_ASSERT(cookie_ok);
	if (__VERIFIER_nondet_int())
		return -1;		/* point not on the curve */
	return 0;
}

static int slp_signature_valid(void)
{
	SLP_ASSERT(peer_cert);
	return __VERIFIER_nondet_int();
}

static int slp_session_known(void)
{
	session_suite = __VERIFIER_nondet_uint();
	session_time = __VERIFIER_nondet_uint();
	if (session_suite < SUITE_FIRST || session_suite > SUITE_LAST)
		return 0;
	if (jiffies() - session_time > SLP_SESSION_LIFETIME)
		return 0;
	return 1;
}

/* Only sessions of authenticated initiators are remembered as such. */
static int slp_session_authentic(void)
{
	return __VERIFIER_nondet_int();
}

/* ---- start of a handshake ---------------------------------------------- */

static void slp_forget(void)
{
	resumed = 0;
	peer_cert = 0;
	peer_auth = 0;
	keys_ready = 0;
	ccs_seen = 0;
	peer_finished = 0;
	finished_sent = 0;
	retries = 0;
	suite = SUITE_NONE;
}

static void slp_accept(void)
{
	slp_forget();
	cookie_ok = 0;
	rekeys = 0;
	version = 0;
	epoch = 0;
	alert = ALERT_NONE;
	next_state = HS_CLOSED;
	state = HS_LISTEN;
}

/* ---- the handshake ----------------------------------------------------- */

static void slp_run(void)
{
	int msg;

	slp_accept();

	while (state != HS_CLOSED) {
		switch (state) {

		case HS_LISTEN:
			msg = slp_recv();
			if (msg == MSG_HELLO)
				state = HS_HELLO_RCVD;
			else if (msg == MSG_CLOSE)
				state = HS_CLOSED;
			/* everything else is noise */
			break;

		case HS_HELLO_RCVD:
			version = __VERIFIER_nondet_uint();
			retries = 0;
			state = HS_VERSION_CHECK;
			break;

		case HS_VERSION_CHECK:
			if (version < SLP_VERSION_MIN) {
				slp_fail(ALERT_BAD_VERSION);
				break;
			}
			if (version > SLP_VERSION_MAX)
				version = SLP_VERSION_MAX;
			if (cookie_ok)
				state = HS_SESSION_LOOKUP;	/* new keys */
			else
				state = HS_COOKIE_SEND;
			break;

		case HS_COOKIE_SEND:
			slp_send(MSG_COOKIE_REQUEST);
			state = HS_COOKIE_WAIT;
			break;

		case HS_COOKIE_WAIT:
			msg = slp_recv();
			switch (msg) {
			case MSG_HELLO:
				state = HS_COOKIE_CHECK;
				break;
			case MSG_TIMEOUT:
				if (slp_retry())
					state = HS_LISTEN;	/* forget it */
				else
					state = HS_COOKIE_SEND;
				break;
			case MSG_CLOSE:
				state = HS_CLOSED;
				break;
			default:
				/* not worth an alert to an unknown address */
				break;
			}
			break;

		case HS_COOKIE_CHECK:
			if (!slp_cookie_valid()) {
				state = HS_LISTEN;
				break;
			}
			cookie_ok = 1;
			retries = 0;
			state = HS_SESSION_LOOKUP;
			break;

		case HS_SESSION_LOOKUP:
			/* Resumption is offered, and we remember the session. */
			if (__VERIFIER_nondet_int() && slp_session_known())
				resumed = 1;
			state = HS_SUITE_SELECT;
			break;

		case HS_SUITE_SELECT:
			suite = __VERIFIER_nondet_uint();
			if (suite < SUITE_FIRST || suite > SUITE_LAST) {
				slp_fail(ALERT_NO_SUITE);
				break;
			}
			if (resumed && suite != session_suite) {
				/*
				 * The initiator does not speak the old suite
				 * any more: full handshake.
				 */
				session_suite = SUITE_NONE;
				resumed = 0;
			} else if (resumed && auth_mode == AUTH_REQUIRED &&
				   !slp_session_authentic()) {
				/* The old session was anonymous. */
				resumed = 0;
			} else if (resumed) {
				/* The old master secret yields new keys. */
				if (slp_derive_keys()) {
					slp_fail(ALERT_INTERNAL);
					break;
				}
				if (auth_mode == AUTH_REQUIRED)
					peer_auth = 1;
				keys_ready = 1;
			}
			state = HS_S_HELLO_SEND;
			break;

		case HS_S_HELLO_SEND:
			slp_send(MSG_S_HELLO);
			if (resumed)
				state = HS_CCS_SEND;
			else
				state = HS_CERT_SEND;
			break;

		/* ---- full handshake ---- */

		case HS_CERT_SEND:
			slp_send(MSG_CERT);
			state = HS_KEX_SEND;
			break;

		case HS_KEX_SEND:
			slp_send(MSG_KEX);
			if (auth_mode == AUTH_NONE)
				state = HS_DONE_SEND;
			else
				state = HS_CERT_REQ_SEND;
			break;

		case HS_CERT_REQ_SEND:
			slp_send(MSG_CERT_REQUEST);
			state = HS_DONE_SEND;
			break;

		case HS_DONE_SEND:
			slp_send(MSG_DONE);
			if (auth_mode == AUTH_NONE)
				state = HS_KEX_WAIT;
			else
				state = HS_CERT_WAIT;
			break;

		case HS_CERT_WAIT:
			msg = slp_recv();
			switch (msg) {
			case MSG_CERT:
				state = HS_CERT_CHECK;
				break;
			case MSG_TIMEOUT:
				if (slp_retry())
					slp_fail(ALERT_TIMEOUT);
				else
					state = HS_CERT_SEND;
				break;
			case MSG_CLOSE:
			case MSG_ALERT:
				state = HS_DRAIN;
				break;
			default:
				slp_fail(ALERT_UNEXPECTED_MESSAGE);
				break;
			}
			break;

		case HS_CERT_CHECK: {
			unsigned int len = __VERIFIER_nondet_uint();

			if (len == 0) {
				/* An empty message: it has no certificate. */
				if (auth_mode == AUTH_REQUIRED) {
					slp_fail(ALERT_NO_CERT);
					break;
				}
				retries = 0;
				state = HS_KEX_WAIT;
				break;
			}
			if (!slp_chain_valid(len)) {
				slp_fail(ALERT_BAD_CERT);
				break;
			}
			peer_cert = 1;
			retries = 0;
			state = HS_KEX_WAIT;
			break;
		}

		case HS_KEX_WAIT:
			msg = slp_recv();
			switch (msg) {
			case MSG_KEX:
				state = HS_KEX_DERIVE;
				break;
			case MSG_CERT:
				/* A duplicate of what we know already. */
				break;
			case MSG_TIMEOUT:
				if (slp_retry())
					slp_fail(ALERT_TIMEOUT);
				break;
			case MSG_CLOSE:
			case MSG_ALERT:
				state = HS_DRAIN;
				break;
			default:
				slp_fail(ALERT_UNEXPECTED_MESSAGE);
				break;
			}
			break;

		case HS_KEX_DERIVE:
			if (slp_derive_keys()) {
				slp_fail(ALERT_BAD_KEX);
				break;
			}
			keys_ready = 1;
			retries = 0;
			if (peer_cert)
				state = HS_VERIFY_WAIT;
			else
				state = HS_CCS_WAIT;
			break;

		case HS_VERIFY_WAIT:
			msg = slp_recv();
			switch (msg) {
			case MSG_VERIFY:
				state = HS_VERIFY_CHECK;
				break;
			case MSG_KEX:
				break;
			case MSG_TIMEOUT:
				if (slp_retry())
					slp_fail(ALERT_TIMEOUT);
				break;
			case MSG_CLOSE:
			case MSG_ALERT:
				state = HS_DRAIN;
				break;
			default:
				slp_fail(ALERT_UNEXPECTED_MESSAGE);
				break;
			}
			break;

		case HS_VERIFY_CHECK:
			if (!slp_signature_valid()) {
				slp_fail(ALERT_BAD_SIGNATURE);
				break;
			}
			peer_auth = 1;
			retries = 0;
			state = HS_CCS_WAIT;
			break;

		/* ---- both kinds of handshake ---- */

		case HS_CCS_WAIT:
			msg = slp_recv();
			switch (msg) {
			case MSG_CCS:
				ccs_seen = 1;
				retries = 0;
				state = HS_FIN_WAIT;
				break;
			case MSG_TIMEOUT:
				if (slp_retry()) {
					slp_fail(ALERT_TIMEOUT);
					break;
				}
				if (resumed)
					state = HS_CCS_SEND;
				break;
			case MSG_VERIFY:
			case MSG_KEX:
				break;
			case MSG_CLOSE:
			case MSG_ALERT:
				state = HS_DRAIN;
				break;
			default:
				slp_fail(ALERT_UNEXPECTED_MESSAGE);
				break;
			}
			break;

		case HS_FIN_WAIT:
			msg = slp_recv();
			switch (msg) {
			case MSG_FINISHED:
				state = HS_FIN_CHECK;
				break;
			case MSG_CCS:
				break;
			case MSG_TIMEOUT:
				if (slp_retry())
					slp_fail(ALERT_TIMEOUT);
				break;
			case MSG_CLOSE:
			case MSG_ALERT:
				state = HS_DRAIN;
				break;
			default:
				slp_fail(ALERT_UNEXPECTED_MESSAGE);
				break;
			}
			break;

		case HS_FIN_CHECK:
			SLP_ASSERT(ccs_seen);
			if (!slp_open_record()) {
				slp_fail(ALERT_BAD_FINISHED);
				break;
			}
			peer_finished = 1;
			if (resumed)
				state = HS_ESTABLISHED;
			else
				state = HS_CCS_SEND;
			break;

		case HS_CCS_SEND:
			slp_send(MSG_CCS);
			epoch++;
			state = HS_FIN_SEND;
			break;

		case HS_FIN_SEND:
			slp_send_protected(MSG_FINISHED);
			finished_sent = 1;
			if (resumed)
				next_state = HS_CCS_WAIT;
			else
				next_state = HS_ESTABLISHED;
			state = HS_FLUSH;
			break;

		case HS_FLUSH:
			/* The link may take a while to accept it all. */
			if (__VERIFIER_nondet_int())
				break;
			state = next_state;
			break;

		/* ---- data ---- */

		case HS_ESTABLISHED:
			SLP_ASSERT(cookie_ok);
			SLP_ASSERT(keys_ready);
			SLP_ASSERT(peer_finished);
			SLP_ASSERT(finished_sent);
			SLP_ASSERT(auth_mode != AUTH_REQUIRED || peer_auth);
			msg = slp_recv();
			switch (msg) {
			case MSG_DATA:
				if (slp_open_record())
					slp_send_protected(MSG_DATA);
				break;
			case MSG_REKEY:
				rekeys++;
				if (rekeys > SLP_MAX_REKEYS) {
					slp_fail(ALERT_INTERNAL);
					break;
				}
				slp_forget();
				state = HS_LISTEN;
				break;
			case MSG_TIMEOUT:
				slp_send_protected(MSG_DATA);	/* keep-alive */
				break;
			case MSG_CLOSE:
				slp_send_protected(MSG_CLOSE);
				state = HS_DRAIN;
				break;
			case MSG_ALERT:
				state = HS_DRAIN;
				break;
			default:
				/* late duplicates of the handshake */
				break;
			}
			break;

		/* ---- the end ---- */

		case HS_ALERT_SEND:
			if (keys_ready && finished_sent)
				slp_send_protected(MSG_ALERT);
			else
				slp_send(MSG_ALERT);
			state = HS_DRAIN;
			break;

		case HS_DRAIN:
			if (slp_recv() == MSG_TIMEOUT)
				state = HS_CLOSED;
			break;

		default:
			slp_fail(ALERT_INTERNAL);
			break;
		}
	}

	slp_forget();
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		/* The administrator may change his mind between connections. */
		auth_mode = __VERIFIER_nondet_int();
		if (auth_mode < AUTH_NONE || auth_mode > AUTH_REQUIRED)
			auth_mode = AUTH_REQUIRED;
		slp_run();
	}
	return 0;
}
