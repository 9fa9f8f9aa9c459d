"""A mail server on loopback that demands TLS and a log-in, and prints each mail as a line of JSON.

Arguments: certificates, key, user, password. The first line that it prints has three ports: that for STARTTLS, that for
TLS from the first byte on, and one where it has no TLS at all.
"""

import asyncio
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        print(
            json.dumps(
                {
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "headers": mail.keys(),
                    "subject": mail["subject"],
                    "text": mail.get_content(),
                },
                ensure_ascii=False,
            ),
            flush=True,
        )
        return "250 OK"


def log_in(user, password):
    def check(server, session, envelope, mechanism, data):
        right = data.login == user.encode() and data.password == password.encode()
        return AuthResult(success=right, handled=False)

    return check


async def serve(certificates, key, user, password):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates, key)

    def after_starttls():
        return SMTP(
            Handler(),
            tls_context=context,
            require_starttls=True,
            auth_required=True,
            authenticator=log_in(user, password),
            hostname="localhost",
        )

    def within_tls():
        return SMTP(
            Handler(),
            auth_required=True,
            auth_require_tls=False,  # the connection has it from its first byte on
            authenticator=log_in(user, password),
            hostname="localhost",
        )

    loop = asyncio.get_running_loop()
    servers = [
        await loop.create_server(after_starttls, "127.0.0.1", 0),
        await loop.create_server(within_tls, "127.0.0.1", 0, ssl=context),
        await loop.create_server(within_tls, "127.0.0.1", 0),
    ]
    print(*[server.sockets[0].getsockname()[1] for server in servers], flush=True)
    await asyncio.gather(*[server.serve_forever() for server in servers])


asyncio.run(serve(*sys.argv[1:]))
