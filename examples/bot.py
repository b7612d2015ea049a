"""A bot in plain Python, without five211: python bot.py http://host:port/t/TABLE CODE [NAME]"""

import json
import random
import sys
from urllib.request import Request, urlopen

from websockets.sync.client import connect

address, code, name = [*sys.argv[1:], "Plain"][:3]
server, table = address.split("/t/")
body = json.dumps({"name": name, "code": code}).encode()
seats = Request(f"{server}/api/tables/{table}/seats", body, {"content-type": "application/json"})
token = json.load(urlopen(seats))["token"]

view, chosen = {}, None
with connect(server.replace("http", "ws", 1) + "/socket") as socket:
    socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
    while view.get("phase") != "over":
        view.update(json.loads(socket.recv())["view"])
        if view["moment"] not in (None, chosen):  # a turn that awaits cards
            chosen, cards = view["moment"], random.choice(view["choices"])
            socket.send(json.dumps({"type": "choose", "moment": chosen, "cards": cards}))
print("points:", view["points"], "winners:", view["result"]["winners"])
