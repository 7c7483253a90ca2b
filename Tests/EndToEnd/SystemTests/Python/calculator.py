# org.example.calculator with the module varlink: as a service at an address, or as a client of such a service.
#
#   calculator.py serve ADDRESS DIRECTORY    DIRECTORY holds the description
#   calculator.py call ADDRESS
import sys

import varlink

ADDRESS = sys.argv[2]


def serve():
    service = varlink.Service("Example", "Calculator", "1", "https://example.org/calculator", interface_dir=sys.argv[3])

    @service.interface("org.example.calculator")
    class Calculator:
        def Factorize(self, number, _more=True):
            if number < 2:
                error = {"error": "org.example.calculator.NoFactors", "parameters": {"number": number}}
                raise varlink.VarlinkError(error)
            factor = 2
            while factor * factor <= number:
                if number % factor == 0:
                    yield {"factor": factor, "_continues": True}
                    number //= factor
                else:
                    factor += 1
            yield {"factor": number, "_continues": False}

    class Handler(varlink.RequestHandler):
        pass

    Handler.service = service
    with varlink.ThreadingServer(ADDRESS, Handler) as server:
        print("Listening")
        server.serve_forever()


def call():
    client = varlink.Client(ADDRESS)
    with client.open("org.example.calculator") as calculator:
        print(calculator.Add(1.5, 2))
        print(calculator.Divide(dividend=17, divisor=5))
        for reply in calculator.Factorize(360, _more=True):
            print(reply)
        try:
            calculator.Divide(1, 0)
        except varlink.VarlinkError as error:
            print(error.error())
        try:
            list(calculator.Factorize(1, _more=True))
        except varlink.VarlinkError as error:
            print(error.error(), error.parameters())


{"serve": serve, "call": call}[sys.argv[1]]()
